"""A run's row has another version after each write to it; what changes the cases, attempts and the
rest of a run that has ended leaves a row in runs_runchange, one for each connection.

Rows of an archive that is upgraded keep version 0 until they are written.
"""

import django.db.models.deletion
from django.db import migrations, models

# What a run consists of in this app, and how a row of it tells its run.
TABLES = {
    "runs_case": "run",
    "runs_runevent": "run",
    "runs_runtarget": "run",
    "runs_runtuning": "run",
    "runs_until": "run",
    "runs_decision": "run",
    "runs_attempt": "case",
    "runs_givenup": "attempt",
    "runs_member": "target",
    "runs_runexpectation": "target",
}
FUNCTIONS = """
CREATE SEQUENCE runs_versions;
CREATE FUNCTION runs_another_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := nextval('runs_versions');
    RETURN NEW;
END $$;
CREATE TRIGGER runs_another_version BEFORE INSERT OR UPDATE ON runs_run
    FOR EACH ROW EXECUTE FUNCTION runs_another_version();
CREATE FUNCTION runs_changes_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM runs_runchange WHERE run_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER runs_changes_forgotten AFTER DELETE ON runs_run
    FOR EACH ROW EXECUTE FUNCTION runs_changes_forgotten();
"""
NO_FUNCTIONS = """
DROP TRIGGER runs_changes_forgotten ON runs_run;
DROP FUNCTION runs_changes_forgotten();
DROP TRIGGER runs_another_version ON runs_run;
DROP FUNCTION runs_another_version();
DROP SEQUENCE runs_versions;
"""
# Only of runs that have ended: what runs is written all the time, and is shown anew each time.
NOTE = """
CREATE FUNCTION runs_changed_by_{by}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO runs_runchange (run_id, backend, version)
        SELECT r.id, pg_backend_pid(), nextval('runs_versions') FROM runs_run r
        WHERE r.state IN ('succeeded', 'failed', 'cancelled', 'lost') AND r.id IN ({runs})
    ON CONFLICT (run_id, backend) DO UPDATE SET version = excluded.version;
    RETURN NULL;
END $$;
"""
RUNS = {
    "run": "SELECT run_id FROM changed",
    "case": "SELECT run_id FROM runs_case WHERE id IN (SELECT case_id FROM changed)",
    "attempt": """SELECT c.run_id FROM runs_attempt a JOIN runs_case c ON c.id = a.case_id
            WHERE a.id IN (SELECT attempt_id FROM changed)""",
    "target": "SELECT run_id FROM runs_runtarget WHERE id IN (SELECT run_target_id FROM changed)",
}
EVENTS = {"insert": "NEW", "update": "NEW", "delete": "OLD"}


def noted(table: str, by: str) -> migrations.RunSQL:
    """The triggers of a table."""
    made = "".join(
        f"CREATE TRIGGER run_changed_by_{event} AFTER {event} ON {table} REFERENCING {rows} TABLE "
        f"AS changed FOR EACH STATEMENT EXECUTE FUNCTION runs_changed_by_{by}();"
        for event, rows in EVENTS.items()
    )
    gone = "".join(f"DROP TRIGGER run_changed_by_{event} ON {table};" for event in EVENTS)
    return migrations.RunSQL(made, gone)


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0034_attempts_that_do_not_count'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='version',
            field=models.BigIntegerField(default=0, editable=False),
        ),
        migrations.CreateModel(
            name='RunChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('backend', models.IntegerField()),
                ('version', models.BigIntegerField()),
                ('run', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='runs.run')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'backend'), name='a_change_for_each_backend')],
            },
        ),
        migrations.AddIndex(
            model_name='member',
            index=models.Index(condition=models.Q(('host_name', '')), fields=['host'], name='members_without_a_host_name'),
        ),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        *(
            migrations.RunSQL(NOTE.format(by=by, runs=runs), f"DROP FUNCTION runs_changed_by_{by}();")
            for by, runs in RUNS.items()
        ),
        *(noted(table, by) for table, by in TABLES.items()),
    ]
