"""The database holds runs, cases and attempts to the steps of apps.runs.transitions.

Who repairs an archive by hand says SET benchlab.any_state = 'on' first, as the tests do that
prepare what they look at.
"""

from django.conf import settings
from django.db import migrations, models

REPAIR = """
UPDATE runs_run SET finished_at = NULL
    WHERE finished_at IS NOT NULL AND state IN ('queued', 'running');
UPDATE runs_run SET lease_until = NULL
    WHERE lease_until IS NOT NULL AND state NOT IN ('queued', 'running');
UPDATE runs_case SET fault = '' WHERE fault <> '' AND state NOT IN ('failed', 'lost', 'unproven');
UPDATE runs_attempt SET valid = FALSE
    WHERE valid AND state IN ('failed', 'cancelled', 'lost', 'unproven');
SET CONSTRAINTS ALL IMMEDIATE;
"""
HOLD = """
CREATE FUNCTION runs_states_go_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state || '>' || NEW.state = ANY (TG_ARGV)
        OR current_setting('benchlab.any_state', TRUE) = 'on' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% %: % cannot become %', TG_TABLE_NAME, NEW.id, OLD.state, NEW.state
        USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER runs_states_go_forward BEFORE UPDATE OF state ON runs_run
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION runs_states_go_forward(
    'queued>running', 'queued>cancelled', 'queued>failed', 'running>succeeded',
    'running>failed', 'running>cancelled', 'running>lost', 'failed>queued', 'cancelled>queued',
    'lost>queued');
CREATE TRIGGER runs_states_go_forward BEFORE UPDATE OF state ON runs_case
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION runs_states_go_forward(
    'pending>running', 'pending>failed', 'pending>cancelled', 'running>succeeded',
    'running>failed', 'running>cancelled', 'running>lost', 'running>unproven', 'failed>pending',
    'cancelled>pending', 'lost>pending', 'unproven>pending');
CREATE TRIGGER runs_states_go_forward BEFORE UPDATE OF state ON runs_attempt
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION runs_states_go_forward(
    'claimed>preflight', 'claimed>failed', 'claimed>cancelled', 'claimed>lost',
    'claimed>unproven', 'preflight>running', 'preflight>failed', 'preflight>cancelled',
    'preflight>lost', 'preflight>unproven', 'running>collecting', 'running>failed',
    'running>cancelled', 'running>lost', 'running>unproven', 'collecting>parsing',
    'collecting>failed', 'collecting>cancelled', 'collecting>lost', 'collecting>unproven',
    'parsing>succeeded', 'parsing>failed', 'parsing>cancelled', 'parsing>lost',
    'parsing>unproven');
"""
LET_GO = """
DROP TRIGGER runs_states_go_forward ON runs_run;
DROP TRIGGER runs_states_go_forward ON runs_case;
DROP TRIGGER runs_states_go_forward ON runs_attempt;
DROP FUNCTION runs_states_go_forward();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_audit_stays'),
        ('inventory', '0008_targets_of_rows'),
        ('plans', '0005_targets_by_key'),
        ('runs', '0015_cases_are_narrow'),
        ('tuning', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(REPAIR, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['claimed', 'preflight', 'running', 'collecting', 'parsing', 'succeeded', 'failed', 'cancelled', 'lost', 'unproven'])), name='attempt_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('valid', False), models.Q(('state__in', ('failed', 'cancelled', 'lost', 'unproven')), _negated=True), _connector='OR'), name='only_a_success_has_valid_figures'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('fault__in', ['', 'plan', 'host', 'tool', 'benchlab'])), name='attempt_has_a_known_fault'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'lost', 'unproven'])), name='case_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('fault', ''), models.Q(('fault__in', ['plan', 'host', 'tool', 'benchlab']), ('state__in', ('failed', 'lost', 'unproven'))), _connector='OR'), name='only_a_bad_case_is_somebodys_fault'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'lost'])), name='run_has_a_known_state'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('finished_at__isnull', True), ('state__in', ('succeeded', 'failed', 'cancelled', 'lost')), _connector='OR'), name='only_an_ended_run_has_an_end'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('lease_until__isnull', True), models.Q(('state__in', ('succeeded', 'failed', 'cancelled', 'lost')), _negated=True), _connector='OR'), name='an_ended_run_has_no_worker'),
        ),
        migrations.RunSQL(HOLD, LET_GO),
    ]
