"""Results of a generated archive: attempts with their jobs, measurements, and events."""

from __future__ import annotations

import hashlib

import numpy as np

from apps.blobs.domain.compression import compress
from apps.blobs.models import Blob, BlobContent, BlobStore
from apps.results.domain.chunks import encode
from apps.results.models import Histogram, Measurement, Series, SeriesChunk
from apps.runs.models import Artifact, Attempt, AttemptJob, RunEvent
from tests.bench.archive.copies import insert, run_sql
from tests.bench.archive.lab import Lab, operations_of
from tests.bench.archive.runs import Keys

# One of so many measurements has a histogram, one of so many attempts a series, a raw file.
HISTOGRAMS, SERIES, ARTIFACTS = 50, 200, 500
ARGV = '[["fio", "--name=archive", "--output-format=json+", "--direct=1", "job.fio"]]'
STORED_ARGV = '{"version": 1, "rows": ' + ARGV + "}"
SPEC = (
    '{"version": 3, "commands": [{"role": "main", "argv": ' + ARGV[1:-1] + ', "always": false}], '
    '"devices": [{"identity": "nvme:eui.0", "writes": true}], "tuning": [], "lease": 60, '
    '"limits": {"seconds": 600, "bytes": 268435456}}'
)
EXIT = (
    '{"codes": [0], "signals": [null], "started": {"monotonic": 12.5, "realtime": 1600000012.5}, '
    '"ended": {"monotonic": 72.6, "realtime": 1600000072.6}}'
)
STARTED = "(r.queued_at + interval '65 seconds' * (1 + c.sequence))"
CASES = "runs_case c JOIN fill_run r ON r.id = c.run_id"


def results_fill(lab: Lab, keys: Keys) -> None:
    """Attempts, figures and events of the runs in `fill_run`."""
    _attempts(keys)
    _jobs(keys)
    _measurements(lab, keys)
    _histograms(keys)
    _series(keys)
    _artifacts(keys)
    _events(keys)


def _attempts(keys: Keys) -> None:
    """One of 33 cases was tried twice."""
    retried = "(c.state = 'succeeded' AND pg_temp.dice(c.id, 13) < 0.03)"
    valid = "(c.state = 'running' OR c.state = 'succeeded' AND pg_temp.dice(c.id, 14) >= 0.02)"
    times = {
        "created_at": STARTED, "started_at": f"{STARTED} + interval '1 second'",
        "case_id": "c.id", "argv": f"'{STORED_ARGV}'", "tool_version": "'fio-3.33'",
    }  # fmt: skip
    mine = f"{CASES} WHERE c.id >= {keys.case}"
    insert(
        Attempt, f"{mine} AND {retried}", id="md5('first' || c.id)::uuid", number="1",
        state="'failed'", reason="'fio ended with code 1'", valid="FALSE",
        ended_at=f"{STARTED} + interval '10 seconds'", **times,
    )  # fmt: skip
    insert(
        Attempt,
        f"{mine} AND c.state NOT IN ('pending', 'cancelled')",
        id="md5('attempt' || c.id)::uuid",
        number=f"1 + {retried}::int",
        state="c.state",
        valid=valid,
        invalid_reason=f"CASE WHEN c.state = 'succeeded' AND NOT {valid} "
        "THEN 'A setting changed during the measurement.' ELSE '' END",
        ended_at=f"CASE WHEN c.state <> 'running' THEN {STARTED} + interval '61 seconds' END",
        host_files_removed_at=(
            f"CASE WHEN c.state <> 'running' THEN {STARTED} + interval '62 seconds' END"
        ),
        imported='CASE WHEN r.is_imported THEN \'{"version": 1, "key": "1"}\'::jsonb END',
        **times,
    )


def _jobs(keys: Keys) -> None:
    run_sql(
        "CREATE TEMP TABLE fill_job ON COMMIT DROP AS "
        "SELECT DISTINCT ON (run_target_id, host_id) run_target_id, host_id, position, role, "
        "host_name, count(*) OVER (PARTITION BY run_target_id) > 1 AS several "
        f"FROM runs_runtargetmember WHERE run_target_id >= {keys.target} "
        "ORDER BY run_target_id, host_id, position"
    )
    run_sql("ANALYZE fill_job")
    insert(
        AttemptJob,
        f"runs_attempt a JOIN {CASES} ON c.id = a.case_id "
        "JOIN fill_job j ON j.run_target_id = c.run_target_id "
        f"WHERE c.id >= {keys.case} AND NOT r.is_imported",
        id="CASE WHEN j.several THEN md5(a.id::text || j.position)::uuid ELSE a.id END",
        attempt_id="a.id",
        position="j.position",
        host_id="j.host_id",
        name="CASE WHEN j.several THEN j.host_name ELSE '' END",
        role="j.role",
        spec=f"'{SPEC}'",
        launched="TRUE",
        removed_from_host="a.state <> 'running'",
        state="CASE WHEN a.state IN ('succeeded', 'failed') THEN 'done' "
        "WHEN a.state = 'lost' THEN 'lost' ELSE 'open' END",
        exit=f"CASE WHEN a.state IN ('succeeded', 'failed') THEN '{EXIT}' ELSE '{{}}' END::jsonb",
    )


def _measurements(lab: Lab, keys: Keys) -> None:
    """Of the whole, and of each member where there are several. Mean latency by Little's law."""
    rows = [
        (row.pk, place, operation, 5_000.0 + 997 * (row.pk % 211))
        for tool in lab.workloads.values()
        for row in tool
        for place, operation in enumerate(operations_of(row))
    ]
    run_sql(
        "CREATE TEMP TABLE fill_workload ON COMMIT DROP AS SELECT * FROM (VALUES "
        + ", ".join(f"({w}, {p}, '{o}', {iops}::float8)" for w, p, o, iops in rows)
        + ") AS t (workload_id, place, operation, iops)"
    )
    run_sql("ANALYZE fill_workload")
    measured = (
        f"runs_attempt a JOIN {CASES} ON c.id = a.case_id "
        "JOIN runs_runtarget t ON t.id = c.run_target_id "
        "JOIN fill_workload w ON w.workload_id = c.workload_id"
    )
    mine = f"WHERE c.id >= {keys.case} AND a.state = 'succeeded'"
    run_sql(
        "CREATE TEMP TABLE fill_part ON COMMIT DROP AS "
        "SELECT id AS run_target_id, -1 AS position, '' AS label, NULL::bigint AS member_id, "
        "1 AS of FROM runs_runtarget "
        f"WHERE id >= {keys.target} "
        "UNION ALL SELECT * FROM (SELECT run_target_id, position, label, id AS member_id, "
        "count(*) OVER (PARTITION BY run_target_id) AS of FROM runs_runtargetmember "
        f"WHERE run_target_id >= {keys.target} AND kind <> 'pair') AS m WHERE of > 1"
    )
    run_sql("ANALYZE fill_part")
    parts = "JOIN fill_part part ON part.run_target_id = t.id"
    iops = (
        "w.iops * (0.7 + 0.6 * pg_temp.dice(coalesce(t.target_id, 0), 15)) "
        "* (0.9 + 0.2 * pg_temp.dice(c.run_tuning_id % 4, 16)) "
        "* (0.97 + 0.06 * pg_temp.dice(c.id * 4 + w.place, 17))"
    )
    insert(
        Measurement,
        f"{measured} {parts} {mine} ORDER BY c.id, w.place, part.position",
        component="part.label",
        member_id="part.member_id",
        **_figures(f"({iops}) / part.of"),
    )


def _figures(iops: str) -> dict[str, str]:
    mean = f"(16e9 / ({iops}))"
    factors = {"min": 0.3, "mean": 1.0, "p50": 0.9, "p95": 1.6, "p99": 2.4, "p999": 4.0,
               "p9999": 7.0, "max": 20.0, "stddev": 0.5}  # fmt: skip
    return {
        "attempt_id": "a.id", "case_id": "c.id", "workload_id": "c.workload_id",
        "operation": "w.operation", "iops": iops,
        "bandwidth": f"4096 * {iops}", "valid": "a.valid", "invalid_reason": "a.invalid_reason",
        "parser_version": "3", "format": "'json'", "created_at": "a.ended_at",
        "percentiles": f"jsonb_build_object('50', 0.9 * {mean}, '99', 2.4 * {mean})",
        "values": "'{\"runtime\": 60.0, \"jobs\": 1, \"cpu_user\": 12.5, \"cpu_system\": 31.0}'",
    } | {f"latency_{name}": f"{factor} * {mean}" for name, factor in factors.items()}  # fmt: skip


def _histograms(keys: Keys) -> None:
    insert(
        Histogram,
        f"results_measurement m WHERE m.case_id >= {keys.case} AND m.id % {HISTOGRAMS} = 0",
        measurement_id="m.id",
        bins="ARRAY(SELECT (m.latency_p50 * b / 20)::bigint FROM generate_series(1, 40) AS b)",
        counts="ARRAY(SELECT 1000 * (20 - abs(20 - b)) FROM generate_series(1, 40) AS b)",
    )


def _series(keys: Keys) -> None:
    (chunk,) = encode(np.linspace(900, 1_100, 60, dtype=np.float32))
    insert(
        Series,
        f"runs_attempt a JOIN runs_case c ON c.id = a.case_id WHERE a.case_id >= {keys.case} "
        f"AND a.case_id % {SERIES} = 0 AND a.state = 'succeeded'",
        attempt_id="a.id",
        run_id="c.run_id",
        source="'tool'",
        subject="'read'",
        metric="'iops'",
        start="0",
        interval="1",
        length="60",
        value_count="60",
        minimum="900",
        mean="1000",
        maximum="1100",
        stddev="59.25",
    )
    insert(
        SeriesChunk,
        f"results_series s JOIN runs_attempt a ON a.id = s.attempt_id "
        f"WHERE a.case_id >= {keys.case}",
        series_id="s.id",
        index="0",
        values=f"'\\x{bytes(chunk.values).hex()}'",
        tile_minima=f"'\\x{bytes(chunk.tile_minima).hex()}'",
        tile_maxima=f"'\\x{bytes(chunk.tile_maxima).hex()}'",
    )


def _artifacts(keys: Keys) -> None:
    """All have the same contents."""
    data = b'{"fio version": "fio-3.33", "jobs": []}\n' * 20
    packed = compress(data)
    sha256 = hashlib.sha256(data).hexdigest()
    blob, made = Blob.objects.get_or_create(
        sha256=sha256,
        defaults={
            "size_bytes": len(data),
            "compressed_bytes": len(packed),
            "store": BlobStore.POSTGRESQL,
        },
    )
    if made:
        BlobContent.objects.create(blob=blob, content=packed)
    insert(
        Artifact,
        f"runs_attempt a WHERE a.case_id >= {keys.case} AND a.case_id % {ARTIFACTS} = 0",
        attempt_id="a.id",
        name="'stdout'",
        size=str(len(data)),
        sha256=f"'{sha256}'",
        blob_id=str(blob.pk),
    )


def _events(keys: Keys) -> None:
    insert(
        RunEvent,
        f"{CASES} WHERE c.id >= {keys.case} AND c.state NOT IN ('pending', 'cancelled')",
        run_id="r.id",
        case_id="c.id",
        attempt_id="md5('attempt' || c.id)::uuid",
        occurred_at=f"{STARTED} + interval '62 seconds'",
        kind="'case'",
        text="'Case ' || c.sequence || ' ' || c.state || '.'",
    )
