"""A plan names the tuning that the others are compared with. Plans that are there get the one that
comparisons chose until now.
"""

import django.db.models.deletion
from django.db import migrations, models

FILL = """
UPDATE plans_testplan plan SET baseline_id = chosen.tuningprofile_id
FROM (
    SELECT DISTINCT ON (named.testplan_id) named.testplan_id, named.tuningprofile_id
    FROM plans_testplan_tunings named JOIN tuning_tuningprofile t ON t.id = named.tuningprofile_id
    ORDER BY named.testplan_id, t.name <> 'As found', t.name !~* '\\mbefore\\M', t.name
) chosen
WHERE chosen.testplan_id = plan.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("plans", "0014_decided_between_others"),
        ("tuning", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="testplan",
            name="baseline",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tuning.tuningprofile",
                verbose_name="baseline",
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
