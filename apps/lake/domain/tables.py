"""Tables of the lake. Units are in the names of their columns."""

from __future__ import annotations

from collections.abc import Sequence

from apps.lake.domain.columns import Column, Table, nanoseconds, text_or_null, whole_number
from apps.results.domain.chunks import CHUNK
from apps.tools.metrics import METRICS

SCHEMA_VERSION = 1
"""Raise it with each new column: the next export then writes every month again."""
_LATENCIES = ("min", "mean", "max", "stddev", "p50", "p95", "p99", "p999", "p9999")
# Statements have parameters, so that a percent sign is doubled.
_UNIT = " ".join(f"WHEN '{key}' THEN '{metric.unit}'" for key, metric in METRICS.items())
_UNIT = _UNIT.replace("%", "%%")
# The host of the first member, as it was named at the launch.
_HOST = "COALESCE(NULLIF(lead.host_name, ''), host.name)"
_WHERE = (
    "JOIN runs_runtarget AS t ON t.id = c.run_target_id "
    "JOIN runs_runtuning AS u ON u.id = c.run_tuning_id "
    "LEFT JOIN runs_runtargetmember AS lead ON lead.run_target_id = t.id AND lead.position = 0 "
    "LEFT JOIN inventory_host AS host ON host.id = lead.host_id "
    "LEFT JOIN runs_runbackground AS load ON load.id = c.background_id"
)
_CASES = "runs_run AS r JOIN runs_case AS c ON c.run_id = r.id"
_MEASURED = f"{_CASES} JOIN results_measurement AS m ON m.case_id = c.id"


def _ids(*names: tuple[str, str]) -> list[Column]:
    return [Column(name, "integer", sql) for name, sql in names]


def _texts(*names: tuple[str, str]) -> list[Column]:
    return [Column(name, "text", text_or_null(sql)) for name, sql in names]


def _timestamps(*names: tuple[str, str]) -> list[Column]:
    return [Column(name, "moment", sql) for name, sql in names]


def _workload(alias: str) -> list[Column]:
    return [
        Column("tool", "text", f"{alias}.tool"),
        Column("workload_key", "text", f"{alias}.key"),
        Column("workload_label", "text", f"{alias}.label"),
        Column("params_json", "text", f"{alias}.params::text"),
    ]


_CONDITIONS: Sequence[Column] = (
    *_ids(("target_id", "t.target_id"), ("tuning_id", "u.tuning_id"), ("host_id", "lead.host_id")),
    *_texts(
        ("target_kind", "t.kind"),
        ("target_name", "t.name"),
        ("raid_level", "t.level"),
        ("tuning_name", "u.name"),
        ("host_name", _HOST),
        ("background_load", "load.label"),
    ),
)
_FIGURES: Sequence[Column] = (
    Column("bandwidth_bytes_per_second", "number", "m.bandwidth"),
    Column("iops", "number", "m.iops"),
    *(
        Column(f"latency_{name}_ns", "integer", nanoseconds(f"m.latency_{name}"))
        for name in _LATENCIES
    ),
    # Not rounded: comparisons are computed with the fractions of means and of some tools.
    *(Column(f"latency_{name}_exact_ns", "number", f"m.latency_{name}") for name in _LATENCIES),
    Column("percentiles_ns_json", "text", "m.percentiles::text"),
    Column("values_json", "text", "m.values::text"),
)
MEASUREMENTS = Table(
    "measurements",
    f"{_MEASURED} JOIN runs_attempt AS a ON a.id = m.attempt_id "
    f"JOIN plans_workload AS w ON w.id = m.workload_id {_WHERE} "
    "LEFT JOIN results_resultsummary AS s ON s.measurement_id = m.id",
    "r.id, m.id",
    (
        *_ids(("measurement_id", "m.id"), ("run_id", "r.id"), ("case_id", "c.id")),
        Column("attempt_id", "text", "a.id::text"),
        Column("operation", "text", "m.operation"),
        Column("component", "text", "m.component"),
        *_workload("w"),
        *_CONDITIONS,
        *_ids(("settings_hash", "s.settings_hash"), ("facts_id", "a.facts_id")),
        *_texts(("tool_version", "a.tool_version"), ("format", "m.format")),
        Column("parser_version", "small", "m.parser_version"),
        Column("block", "small", "c.block"),
        Column("repeat", "small", "c.repeat"),
        *_timestamps(
            ("measured_at", "COALESCE(a.started_at, m.created_at)"), ("stored_at", "m.created_at")
        ),
        Column("has_measured_time", "flag", "a.started_at IS NOT NULL OR r.origin <> 'imported'"),
        Column("is_imported", "flag", "r.origin = 'imported'"),
        Column("is_valid", "flag", "m.valid"),
        Column("is_comparable", "flag", "COALESCE(s.is_comparable, FALSE)"),
        *_texts(
            ("exclusion_reason", "s.exclusion_reason"),
            ("expectation_verdict", "s.expectation_verdict"),
        ),
        Column("invalid_reason", "message", "m.invalid_reason", about_people=True),
        *_FIGURES,
    ),
    bytes_a_row=160,
)
HISTOGRAMS = Table(
    "histograms",
    f"{_MEASURED} JOIN results_histogram AS h ON h.measurement_id = m.id",
    "r.id, m.id",
    (
        *_ids(("measurement_id", "m.id"), ("run_id", "r.id"), ("case_id", "c.id")),
        Column("operation", "text", "m.operation"),
        Column("component", "text", "m.component"),
        Column("bins_ns", "integers", "h.bins"),
        Column("counts", "integers", "h.counts"),
    ),
    bytes_a_row=1_000,
)
SERIES = Table(
    "series",
    "runs_run AS r JOIN results_series AS s ON s.run_id = r.id "
    "JOIN runs_attempt AS a ON a.id = s.attempt_id "
    "JOIN results_serieschunk AS k ON k.series_id = s.id",
    "r.id, s.id, k.index",
    (
        *_ids(("series_id", "s.id"), ("run_id", "r.id"), ("case_id", "a.case_id")),
        Column("attempt_id", "text", "a.id::text"),
        Column("source", "text", "s.source"),
        Column("component", "text", "s.component"),
        Column("subject", "text", "s.subject"),
        Column("metric", "text", "s.metric"),
        Column("metric_unit", "text", f"CASE s.metric {_UNIT} END"),
        Column("chunk", "small", "k.index"),
        Column("start_seconds", "number", f"s.start + s.interval * {CHUNK} * k.index"),
        Column("interval_seconds", "number", "s.interval"),
        Column("series_length", "integer", "s.length"),
        Column("series_value_count", "integer", "s.value_count"),
        Column("series_minimum", "number", "s.minimum"),
        Column("series_mean", "number", "s.mean"),
        Column("series_maximum", "number", "s.maximum"),
        Column("series_stddev", "number", "s.stddev"),
        Column("stalled_seconds", "number", "s.stalled"),
        Column("is_downsampled", "flag", "s.downsampled_at IS NOT NULL"),
        Column("samples", "samples", "k.values"),
    ),
    bytes_a_row=1_500,
)
RUNS = Table(
    "runs",
    "runs_run AS r LEFT JOIN accounts_team AS g ON g.id = r.team_id "
    "JOIN accounts_user AS o ON o.id = r.owner_id "
    "LEFT JOIN accounts_user AS wipe ON wipe.id = r.wipe_confirmed_by_id "
    "LEFT JOIN accounts_user AS stop ON stop.id = r.cancel_requested_by_id",
    "r.id",
    (
        *_ids(("run_id", "r.id"), ("plan_id", "r.plan_id"), ("seed", "r.seed")),
        Column("name", "text", "r.name"),
        Column("origin", "text", "r.origin"),
        Column("state", "text", "r.state"),
        *_texts(("team_name", "g.name")),
        Column("tags", "texts", "r.tags"),
        Column("case_count", "integer", "r.case_count"),
        Column("results_version", "integer", "r.results_version"),
        *_timestamps(
            ("queued_at", "r.queued_at"),
            ("started_at", "r.started_at"),
            ("finished_at", "r.finished_at"),
            ("archived_at", "r.archived_at"),
        ),
        Column("owner_name", "text", "o.username", about_people=True),
        Column("owner_email", "text", text_or_null("o.email"), about_people=True),
        Column("wipe_confirmed_by_name", "text", "wipe.username", about_people=True),
        Column("cancel_requested_by_name", "text", "stop.username", about_people=True),
        Column("note", "text", text_or_null("r.note"), about_people=True),
        Column("reason", "message", "r.reason", about_people=True),
    ),
    bytes_a_row=60,
)
CASES = Table(
    "cases",
    f"{_CASES} JOIN plans_workload AS w ON w.id = c.workload_id {_WHERE} "
    "LEFT JOIN LATERAL (SELECT count(*) AS number, min(x.started_at) AS started_at, "
    "max(x.ended_at) AS ended_at FROM runs_attempt AS x WHERE x.case_id = c.id) AS attempts "
    "ON TRUE",
    "r.id, c.id",
    (
        *_ids(("case_id", "c.id"), ("run_id", "r.id")),
        Column("sequence", "small", "c.sequence"),
        Column("block", "small", "c.block"),
        Column("repeat", "small", "c.repeat"),
        *_workload("w"),
        *_texts(("step_name", "c.step_name")),
        *_CONDITIONS,
        Column(
            "host_names",
            "texts",
            "ARRAY(SELECT COALESCE(NULLIF(x.host_name, ''), y.name)::text "
            "FROM runs_runtargetmember AS x JOIN inventory_host AS y ON y.id = x.host_id "
            "WHERE x.run_target_id = t.id ORDER BY x.position)",
        ),
        Column("tuning_settings_json", "text", "(u.settings -> 'rows')::text"),
        Column("purpose", "text", "c.purpose"),
        Column("state", "text", "c.state"),
        *_texts(("failure_cause", "c.failure_cause")),
        Column("attempt_count", "small", "attempts.number"),
        *_timestamps(("started_at", "attempts.started_at"), ("ended_at", "attempts.ended_at")),
        Column("expected_seconds", "number", "c.expected_seconds"),
        Column("reason", "message", "c.reason", about_people=True),
    ),
    bytes_a_row=25,
)
FACTS = Table(
    "facts",
    "inventory_hostfacts AS f JOIN inventory_host AS h ON h.id = f.host_id",
    "f.id",
    (
        *_ids(("facts_id", "f.id"), ("host_id", "f.host_id")),
        Column("host_name", "text", "h.name"),
        *_timestamps(("collected_at", "f.collected_at")),
        Column("digest", "text", "f.digest"),
        *_texts(
            ("kernel", "f.facts ->> 'kernel'"),
            ("distribution", "f.facts ->> 'distribution'"),
            ("architecture", "f.facts ->> 'architecture'"),
            ("cpu_model", "f.facts -> 'cpu' ->> 'model'"),
        ),
        Column("cpu_count", "integer", whole_number("f.facts #> '{cpu,count}'")),
        Column("cpu_json", "text", "(f.facts -> 'cpu')::text"),
        Column("memory_bytes", "integer", whole_number("f.facts -> 'memory'")),
        Column("tools_json", "text", "(f.facts -> 'tools')::text"),
        Column("disks_json", "text", "(f.facts -> 'disks')::text"),
        # Everything the host reports, with the addresses of its network cards.
        Column("facts_json", "text", "f.facts::text", about_people=True),
    ),
    bytes_a_row=2_000,
    of_runs=False,
)
TABLES: tuple[Table, ...] = (MEASUREMENTS, HISTOGRAMS, SERIES, RUNS, CASES, FACTS)
