"""The rows of figures are found by keys alone, whatever PostgreSQL believes of the tables' sizes.

The view was a join of seven tables. Planned while these were nearly empty, by a connection that
then wrote thousands of results (functions keep their plans), it went through every measurement of
the same operation for each one of them: minutes for 16,000. Each table now stands behind its own
LATERAL with OFFSET 0, which PostgreSQL neither joins another way nor turns around, and inside it
only the index of the key fits: conditions that other indexes have, too, are written so that no
index has them (`length(part) = 0`, the operation as an expression). The columns stay the same.
"""

from django.db import migrations

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
       m.operation, a.tool_version
FROM results_measurement AS m
CROSS JOIN LATERAL (
    SELECT number, state, valid, facts_id, started_at, tool_version
    FROM runs_attempt WHERE id = m.attempt_id OFFSET 0
) AS a
CROSS JOIN LATERAL (
    SELECT run_id, workload_id, run_target_id, run_tuning_id, block, repeat, state
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
WHERE length(m.part) = 0
"""
WRITE = """
CREATE OR REPLACE FUNCTION results_figures_write(measurements bigint[]) RETURNS bigint
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    gone bigint;
    come bigint;
BEGIN
    DELETE FROM results_figure AS f WHERE f.measurement_id = ANY (measurements) AND NOT EXISTS (
        SELECT FROM results_figure_due AS d
        WHERE d.measurement_id = f.measurement_id AND ROW(d.*) IS NOT DISTINCT FROM ROW(f.*)
        OFFSET 0);
    GET DIAGNOSTICS gone = ROW_COUNT;
    INSERT INTO results_figure
        SELECT d.* FROM unnest(measurements) AS own(id)
        CROSS JOIN LATERAL (
            SELECT * FROM results_figure_due WHERE measurement_id = own.id OFFSET 0
        ) AS d
        ON CONFLICT (measurement_id) DO NOTHING;
    GET DIAGNOSTICS come = ROW_COUNT;
    RETURN greatest(gone, come);
END $$
"""
CASES = """
CREATE OR REPLACE FUNCTION results_figures_of_cases(cases bigint[], others bigint[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    PERFORM FROM runs_case WHERE id = ANY (cases) ORDER BY id FOR NO KEY UPDATE;
    PERFORM results_figures_write(
        others || ARRAY(SELECT id FROM results_measurement WHERE case_id = ANY (cases)));
END $$
"""


class Migration(migrations.Migration):

    dependencies = [("results", "0007_filters_by_index")]

    operations = [migrations.RunSQL([DUE, WRITE, CASES], migrations.RunSQL.noop)]
