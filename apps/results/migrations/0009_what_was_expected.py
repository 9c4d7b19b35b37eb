"""The table of figures says which results met and missed what was expected of them."""

from importlib import import_module

from django.db import migrations, models

# As `plans.expectations.judge` says of a single figure: of a provider's caps one that is reached is
# enough, of everything else each counts. What was not measured is not judged.
EXPECTED = """
CROSS JOIN LATERAL (
    SELECT CASE WHEN count(*) = 0 THEN ''
                WHEN bool_or(beyond) FILTER (WHERE NOT either)
                     OR bool_and(beyond) FILTER (WHERE either) THEN 'missed'
                ELSE 'met' END AS judged
    FROM (
        SELECT e.either, CASE e.direction WHEN 'least' THEN figure < e.bound
                                          ELSE figure > e.bound END AS beyond
        FROM runs_runexpectation AS e
        CROSS JOIN LATERAL (SELECT CASE e.metric
            WHEN 'iops' THEN m.iops WHEN 'bandwidth' THEN m.bandwidth
            WHEN 'latency_min' THEN m.latency_min WHEN 'latency_mean' THEN m.latency_mean
            WHEN 'latency_max' THEN m.latency_max WHEN 'latency_stddev' THEN m.latency_stddev
            WHEN 'latency_p50' THEN m.latency_p50 WHEN 'latency_p95' THEN m.latency_p95
            WHEN 'latency_p99' THEN m.latency_p99 WHEN 'latency_p999' THEN m.latency_p999
            WHEN 'latency_p9999' THEN m.latency_p9999 END AS figure) AS found
        WHERE e.run_target_id = c.run_target_id AND e.workload_id = c.workload_id
          AND e.step_name = c.step_name AND e.operation IN ('', m.operation)
          AND found.figure IS NOT NULL
    ) AS each
    OFFSET 0
) AS expected
"""
DUE = """
CREATE OR REPLACE VIEW results_figure_due AS
SELECT m.id AS measurement_id, c.run_id, m.case_id, c.workload_id, c.run_target_id, t.target_id,
       lead.host_id, c.run_tuning_id, u.tuning_id,
       CASE WHEN r.origin <> 'imported' THEN results_settings_hash(u.settings) END AS settings_hash,
       a.facts_id, COALESCE(a.started_at, m.created_at) AS at,
       m.bandwidth, m.iops, m.latency_min, m.latency_mean, m.latency_max, m.latency_stddev,
       m.latency_p50, m.latency_p95, m.latency_p99, m.latency_p999, m.latency_p9999,
       c.block, c.repeat, m.parser_version,
       a.started_at IS NOT NULL OR r.origin <> 'imported' AS timed,
       r.origin = 'imported' AS imported, why.left_out = '' AS counts, why.left_out,
       m.operation, a.tool_version,
       CASE WHEN why.left_out = '' THEN expected.judged ELSE '' END AS judged
FROM results_measurement AS m
CROSS JOIN LATERAL (
    SELECT number, state, valid, facts_id, started_at, tool_version
    FROM runs_attempt WHERE id = m.attempt_id OFFSET 0
) AS a
CROSS JOIN LATERAL (
    SELECT run_id, workload_id, run_target_id, run_tuning_id, block, repeat, state, step_name
    FROM runs_case WHERE id = m.case_id OFFSET 0
) AS c
CROSS JOIN LATERAL (SELECT origin FROM runs_run WHERE id = c.run_id OFFSET 0) AS r
CROSS JOIN LATERAL (
    SELECT target_id FROM runs_runtarget WHERE id = c.run_target_id OFFSET 0
) AS t
CROSS JOIN LATERAL (
    SELECT tuning_id, settings FROM runs_runtuning WHERE id = c.run_tuning_id OFFSET 0
) AS u
LEFT JOIN LATERAL (
    SELECT host_id FROM runs_member
    WHERE run_target_id = c.run_target_id AND position = 0 OFFSET 0
) AS lead ON true
CROSS JOIN LATERAL (
    SELECT CASE
        WHEN NOT m.valid THEN 'invalid'
        WHEN c.state <> 'succeeded' THEN 'case'
        WHEN NOT a.valid OR a.state <> 'succeeded' THEN 'attempt'
        -- Two results of one case are no two repeats: the last one that could count does.
        WHEN EXISTS (
            SELECT FROM runs_attempt AS later
            CROSS JOIN LATERAL (
                SELECT FROM results_measurement
                WHERE attempt_id = later.id AND (operation || '') = m.operation
                    AND length(part) = 0 AND valid OFFSET 0
            ) AS other
            WHERE later.case_id = m.case_id AND later.number > a.number
                AND later.valid AND later.state = 'succeeded'
        ) THEN 'replaced'
        ELSE '' END AS left_out
    OFFSET 0
) AS why
""" + EXPECTED + "WHERE length(m.part) = 0"
BEFORE = import_module("apps.results.migrations.0008_figures_by_keys_alone").DUE


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0008_figures_by_keys_alone'),
        ('runs', '0022_what_a_run_is_expected_to_do'),
    ]

    operations = [
        migrations.AddField('figure', 'judged', models.CharField(blank=True, choices=[('met', 'met what was expected'), ('missed', 'missed what was expected')], default='', max_length=6), preserve_default=False),
        migrations.RunSQL(DUE, ["DROP VIEW results_figure_due", BEFORE]),
        migrations.AddIndex('figure', models.Index(fields=['judged', 'case'], condition=models.Q(('judged', ''), _negated=True), name='figures_judged')),
    ]
