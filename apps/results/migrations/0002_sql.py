"""Storage of series, and views for Grafana.

Values of a series are float32 numbers, which hardly shrink: PostgreSQL stores them as they are.
The views hold no secrets (docs/operations/metrics.md): the role of Grafana reads nothing else.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

EXTERNAL = 'ALTER TABLE results_serieschunk ALTER COLUMN "values" SET STORAGE EXTERNAL'
EXTENDED = 'ALTER TABLE results_serieschunk ALTER COLUMN "values" SET STORAGE EXTENDED'

MEASUREMENTS = """
CREATE VIEW grafana_measurement AS
SELECT summary.measurement_id, summary.case_id, summary.run_id, run.name AS run,
    summary.measured_at, host.name AS host, target.name AS target, target.kind AS target_kind,
    workload.tool, workload.label AS workload, summary.operation, tuning.name AS tuning,
    summary.block, summary.repeat, summary.bandwidth, summary.iops, summary.latency_mean,
    summary.latency_p50, summary.latency_p95, summary.latency_p99, summary.latency_p999,
    summary.latency_max, summary.expectation_verdict, summary.is_comparable,
    summary.exclusion_reason, summary.imported
FROM results_resultsummary summary
JOIN runs_run run ON run.id = summary.run_id
JOIN runs_runtarget target ON target.id = summary.run_target_id
JOIN runs_runtuning tuning ON tuning.id = summary.run_tuning_id
JOIN plans_workload workload ON workload.id = summary.workload_id
LEFT JOIN inventory_host host ON host.id = summary.host_id
"""
# A sample is a little-endian float32 (IEEE 754). A NaN, that is a missing sample, becomes NULL.
# `|| ''` reads the stored bytes once; get_byte would read all of them for every byte.
SERIES = r"""
CREATE VIEW grafana_series AS
SELECT attempt.case_id, series.id AS series_id, series.source, series.component, series.subject,
    series.metric,
    series.start + (chunk.index::bigint * 10000 + place) * series.interval AS second,
    CASE WHEN exponent = 255 THEN NULL
        WHEN exponent = 0 THEN sign * mantissa * 2::float8 ^ -149
        ELSE sign * (1 + mantissa / 8388608::float8) * 2::float8 ^ (exponent - 127)
    END AS value
FROM results_series series
JOIN runs_attempt attempt ON attempt.id = series.attempt_id
JOIN results_serieschunk chunk ON chunk.series_id = series.id
CROSS JOIN LATERAL (SELECT chunk.values || ''::bytea AS bytes OFFSET 0) stored
CROSS JOIN LATERAL generate_series(0, octet_length(stored.bytes) / 4 - 1) place
CROSS JOIN LATERAL (SELECT get_byte(bytes, place * 4)::bigint
    | (get_byte(bytes, place * 4 + 1)::bigint << 8)
    | (get_byte(bytes, place * 4 + 2)::bigint << 16)
    | (get_byte(bytes, place * 4 + 3)::bigint << 24) AS bits OFFSET 0) word
CROSS JOIN LATERAL (SELECT ((bits >> 23) & 255)::int AS exponent,
    (bits & 8388607)::float8 AS mantissa,
    CASE WHEN (bits >> 31) = 1 THEN -1.0::float8 ELSE 1.0::float8 END AS sign) parts
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("results", "0001_initial")]

    operations: ClassVar = [
        migrations.RunSQL(EXTERNAL, EXTENDED),
        migrations.RunSQL(MEASUREMENTS, "DROP VIEW grafana_measurement"),
        migrations.RunSQL(SERIES, "DROP VIEW grafana_series"),
    ]
