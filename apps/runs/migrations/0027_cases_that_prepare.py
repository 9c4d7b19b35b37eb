"""Cases that prepare a disk, and cases that turn out not to be needed. What prepares may be done
again after it succeeded: what is measured next needs it.
"""

from django.db import migrations, models

BEFORE = (
    "'pending>running', 'pending>failed', 'pending>cancelled', 'running>succeeded', "
    "'running>failed', 'running>cancelled', 'running>lost', 'running>unproven', 'failed>pending', "
    "'cancelled>pending', 'lost>pending', 'unproven>pending'"
)
AFTER = f"{BEFORE}, 'pending>skipped', 'skipped>pending'"
HOLD = """
DROP TRIGGER runs_states_go_forward ON runs_case;
CREATE TRIGGER runs_states_go_forward BEFORE UPDATE OF state ON runs_case
    FOR EACH ROW WHEN (OLD.state <> NEW.state {but}) EXECUTE FUNCTION runs_states_go_forward({steps});
"""
AGAIN = "AND NOT (NEW.purpose = 'prepare' AND OLD.state = 'succeeded' AND NEW.state = 'pending')"
REPAIR_BACK = """
SET LOCAL benchlab.any_state = 'on';
UPDATE runs_case SET state = 'cancelled' WHERE state = 'skipped';
SET LOCAL benchlab.any_state = 'off';
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('plans', '0010_preparation_of_disks'),
        ('runs', '0026_decisions_of_rules'),
    ]

    operations = [
        migrations.RunSQL(migrations.RunSQL.noop, HOLD.format(but='', steps=BEFORE)),
        migrations.RemoveConstraint(
            model_name='case',
            name='case_has_a_known_state',
        ),
        migrations.AddField(
            model_name='case',
            name='purpose',
            field=models.CharField(choices=[('measure', 'measures'), ('prepare', 'prepares a disk')], db_default='measure', default='measure', max_length=8),
        ),
        migrations.AlterField(
            model_name='case',
            name='state',
            field=models.CharField(choices=[('pending', 'waiting'), ('running', 'running'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('lost', 'lost'), ('unproven', 'ended, unproven'), ('skipped', 'not needed')], default='pending', max_length=12),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'lost', 'unproven', 'skipped'])), name='case_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('purpose__in', ['measure', 'prepare'])), name='case_has_a_known_purpose'),
        ),
        migrations.RunSQL(HOLD.format(but=AGAIN, steps=AFTER), REPAIR_BACK),
    ]
