"""The jobs of an attempt become rows, one for each job, also where there is one host only.

The jobs of attempts that are under way are taken along as they are: the worker of the new release
finds the same ids on the hosts.
"""

import django.db.models.deletion
import uuid
from django.db import migrations, models

KEEP = """
-- One host: the specification, the exit and the id were the attempt's own.
INSERT INTO runs_attemptjob (id, attempt_id, position, host_id, name, act, role, spec, launched,
    cleared, state, why, refused, exit, places)
SELECT attempt.id, attempt.id, 0, runs_case.host_id, '', 0, 'client', attempt.spec,
    attempt.state NOT IN ('claimed', 'preflight') AND attempt.contact_at IS NOT NULL,
    attempt.cleared_at IS NOT NULL,
    CASE WHEN attempt.exit <> '{}' THEN 'done' WHEN attempt.state = 'lost' THEN 'lost'
        ELSE 'open' END,
    '', NULL, attempt.exit, '{}'
FROM runs_attempt attempt JOIN runs_case ON runs_case.id = attempt.case_id
WHERE attempt.jobs = '[]' AND attempt.spec <> '{}' AND NOT attempt.spec ? 'imported';

-- Several: one entry each of what was asked, and one of how it ended.
INSERT INTO runs_attemptjob (id, attempt_id, position, host_id, name, act, role, spec, launched,
    cleared, state, why, refused, exit, places, clock_offset, clock_uncertainty)
SELECT (asked ->> 'job')::uuid, attempt.id, place - 1, (asked ->> 'host')::bigint,
    asked ->> 'name', (asked ->> 'act')::integer, asked ->> 'role', asked -> 'spec',
    COALESCE((asked ->> 'launched')::boolean, FALSE),
    attempt.cleared_at IS NOT NULL OR COALESCE((asked ->> 'cleared')::boolean, FALSE),
    COALESCE(told ->> 'state', 'open'), COALESCE(told ->> 'why', ''),
    NULLIF(told -> 'refused', 'null'),
    CASE WHEN told ->> 'state' = 'done' THEN COALESCE(told -> 'exit', '{}') ELSE '{}' END,
    COALESCE(told -> 'places', '{}'), (clock ->> 0)::float8, (clock ->> 1)::float8
FROM runs_attempt attempt
CROSS JOIN LATERAL jsonb_array_elements(attempt.jobs) WITH ORDINALITY AS asking (asked, place)
LEFT JOIN LATERAL (
    SELECT entry AS told FROM jsonb_array_elements(COALESCE(attempt.exit -> 'jobs', '[]')) entry
    WHERE entry ->> 'job' = asked ->> 'job'
) telling ON TRUE
CROSS JOIN LATERAL (
    SELECT attempt.exit #> ARRAY['clocks', asked ->> 'act', asked ->> 'host'] AS clock
) measured;

UPDATE runs_attempt SET imported = spec -> 'imported' WHERE spec ? 'imported';
UPDATE runs_attempt SET stopped = exit -> 'stopped'
    WHERE jsonb_typeof(exit -> 'stopped') = 'object';
-- Now, not at the end: a table with unchecked rows cannot be altered.
SET CONSTRAINTS ALL IMMEDIATE;
"""
REFUSE = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM runs_attemptjob) OR EXISTS (SELECT FROM runs_attempt) THEN
        RAISE EXCEPTION 'jobs of attempts do not fit into the schema of before';
    END IF;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0006_what_disks_hold'),
        ('runs', '0010_archived_runs'),
    ]

    operations = [
        migrations.AddField(
            model_name='attempt',
            name='imported',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='attempt',
            name='stopped',
            field=models.JSONField(default=dict),
        ),
        migrations.CreateModel(
            name='AttemptJob',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveIntegerField(default=0)),
                ('name', models.CharField(blank=True, max_length=64)),
                ('act', models.PositiveIntegerField(default=0)),
                ('role', models.CharField(default='client', max_length=8)),
                ('spec', models.JSONField()),
                ('launched', models.BooleanField(default=False)),
                ('cleared', models.BooleanField(default=False)),
                ('clock_offset', models.FloatField(null=True)),
                ('clock_uncertainty', models.FloatField(null=True)),
                ('state', models.CharField(choices=[('open', 'not ended'), ('absent', 'not on its host'), ('done', 'done'), ('refused', 'refused'), ('lost', 'lost'), ('bad', 'answered what cannot be')], default='open', max_length=8)),
                ('why', models.TextField(blank=True)),
                ('refused', models.JSONField(null=True)),
                ('exit', models.JSONField(default=dict)),
                ('places', models.JSONField(default=dict)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='runs.attempt')),
                ('host', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.host')),
            ],
            options={
                'ordering': ['attempt', 'position'],
                'indexes': [models.Index(condition=models.Q(('cleared', False)), fields=['host'], name='jobs_a_host_may_know')],
                'constraints': [models.UniqueConstraint(fields=('attempt', 'position'), name='jobs_of_an_attempt_are_ordered'), models.UniqueConstraint(fields=('attempt', 'act', 'host', 'role'), name='one_job_per_act_host_and_role'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'absent', 'done', 'refused', 'lost', 'bad'])), name='job_has_a_known_state'), models.CheckConstraint(condition=models.Q(('role__in', ['client', 'server'])), name='job_has_a_known_role'), models.CheckConstraint(condition=models.Q(('exit', {}), ('state', 'done'), _connector='OR'), name='only_a_done_job_has_an_exit'), models.CheckConstraint(condition=models.Q(models.Q(('clock_offset__isnull', True), ('clock_uncertainty__isnull', True)), models.Q(('clock_offset__isnull', False), ('clock_uncertainty__gte', 0)), _connector='OR'), name='a_clock_has_an_uncertainty'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), ('pk', models.F('attempt_id')), _connector='OR'), name='the_only_job_is_the_attempts')],
            },
        ),
        migrations.RunSQL(KEEP, REFUSE),
        migrations.RemoveField(
            model_name='attempt',
            name='exit',
        ),
        migrations.RemoveField(
            model_name='attempt',
            name='jobs',
        ),
        migrations.RemoveField(
            model_name='attempt',
            name='spec',
        ),
    ]
