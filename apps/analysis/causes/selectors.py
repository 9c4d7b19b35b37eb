"""Queries of observations: a constant number for any number of repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from apps.analysis.causes.host_figures import HostFigures, reported_conditions
from apps.analysis.causes.neighbours import Neighbours, TestTime, neighbours_of
from apps.analysis.causes.observations import Observation
from apps.analysis.repeats.conditions import SharedConditions, conditions_of
from apps.analysis.repeats.repeats import Conditions
from apps.common.domain.messages import localize_message
from apps.inventory.models import HostFacts
from apps.results.models import Measurement, ResultSummary, Series
from apps.runs.models import Attempt, AttemptJob
from apps.runs.models.jobs import SPANNING
from apps.runs.selectors.effective_settings import effective_settings
from apps.tools.messages import as_message
from apps.tools.registry import measures_network

MAX_REPEATS = 2_000
"""Limit of repeats whose conditions are read."""
_SHARED = (
    "run_id", "run_target_id", "run_tuning_id", "facts_id", "tool_version", "parser_version",
    "imported", "operation",
)  # fmt: skip
_MEANS = ("host_cpu", "generator_cpu", "memory_used", "network_received", "network_sent")
_DEVICE = ("read_bandwidth", "write_bandwidth")


@dataclass(frozen=True)
class _Row:
    """A repeat with the keys of what is read about it."""

    key: int
    attempt: UUID
    workload: int
    tool: str
    at: datetime
    shared: SharedConditions
    started_at: datetime | None
    ended_at: datetime | None
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class _Read:
    """Rows by attempt, and the conditions of each row."""

    jobs: Mapping[UUID, list[AttemptJob]]
    series: Mapping[UUID, Mapping[tuple[str, str], list[float]]]
    rates: Mapping[UUID, float]
    cpus: Mapping[int, tuple[int | None, float | None]]
    neighbours: Mapping[int, Neighbours]
    first: frozenset[int]
    conditions: Mapping[int, Conditions] = field(default_factory=dict)


def observations_of(measurements: Iterable[int]) -> list[Observation]:
    """Return the observations of these repeats (ids of measurements)."""
    rows = _rows(list(measurements)[:MAX_REPEATS])
    attempts = {row.attempt for row in rows}
    conditions = dict(
        zip((row.key for row in rows), conditions_of([row.shared for row in rows]), strict=True)
    )
    read = _Read(
        _jobs(attempts),
        _series(attempts),
        _rates(attempts),
        _host_sizes({row.shared.facts for row in rows} - {None}),
        neighbours_of(
            [
                TestTime(row.key, row.shared, row.started_at, row.ended_at)
                for row in rows
                if row.started_at and row.ended_at
            ]
        ),
        _first_repeats(rows),
        conditions,
    )
    return [_observation(row, read) for row in rows]


def _rows(measurements: Sequence[int]) -> list[_Row]:
    summaries = ResultSummary.objects.filter(pk__in=measurements).order_by("measured_at", "pk")
    columns = summaries.values(
        "pk", "workload_id", "measured_at", *_SHARED,
        attempt=F("measurement__attempt"), tool=F("workload__tool"),
    )  # fmt: skip
    table = list(columns)
    attempts = Attempt.objects.in_bulk({row["attempt"] for row in table})
    return [
        _Row(
            row["pk"], row["attempt"], row["workload_id"], row["tool"], row["measured_at"],
            SharedConditions(*(row[name] for name in _SHARED)),
            (one := attempts[row["attempt"]]).started_at, one.ended_at, one.warnings,
        )
        for row in table
    ]  # fmt: skip


def _jobs(attempts: set[UUID]) -> dict[UUID, list[AttemptJob]]:
    result: dict[UUID, list[AttemptJob]] = defaultdict(list)
    rows = AttemptJob.objects.filter(attempt__in=attempts).order_by("attempt", "position")
    for job in rows.only("attempt", "host", "role", "exit", "refusal", "spec", "name", "stage"):
        result[job.attempt_id].append(job)
    return result


def _series(attempts: set[UUID]) -> dict[UUID, dict[tuple[str, str], list[float]]]:
    """Return the means of host and device series, of temperatures the maxima."""
    rows = Series.objects.filter(
        attempt__in=attempts,
        source__in=(Series.Source.HOST, Series.Source.DEVICE),
        metric__in=(*_MEANS, *_DEVICE, "temperature"),
        mean__isnull=False,
    ).order_by()
    result: dict[UUID, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for attempt, source, metric, mean, maximum in rows.values_list(
        "attempt", "source", "metric", "mean", "maximum"
    ):
        value = maximum if metric == "temperature" else mean
        if value is not None:
            result[attempt][source, metric].append(value)
    return result


def _rates(attempts: set[UUID]) -> dict[UUID, float]:
    """Return the bandwidth of all operations of each attempt together."""
    rows = Measurement.objects.filter(attempt__in=attempts, component="").order_by()
    result: dict[UUID, float] = defaultdict(float)
    for attempt, bandwidth in rows.values_list("attempt", "bandwidth"):
        result[attempt] += bandwidth or 0.0
    return result


def _host_sizes(facts: set[Any]) -> dict[int, tuple[int | None, float | None]]:
    """Return (number of CPUs, bytes of memory) of hosts by their facts."""
    rows = HostFacts.objects.filter(pk__in=facts).order_by()
    sizes = rows.values_list("pk", "facts__cpu__count", "facts__memory")
    return {pk: (_whole(cpus), _whole(memory)) for pk, cpus, memory in sizes}


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def _first_repeats(rows: Sequence[_Row]) -> frozenset[int]:
    """Return the first repeat of each workload of each run on each target."""
    first: dict[tuple[int, int, int], int] = {}
    for row in rows:
        key = row.shared.run, row.workload, row.shared.run_target
        first.setdefault(key, row.key)
    return frozenset(first.values())


def _observation(row: _Row, read: _Read) -> Observation:
    jobs = read.jobs.get(row.attempt, [])
    own = [job for job in jobs if job.role not in SPANNING]
    hosts = HostFigures(read.series.get(row.attempt, {}))
    cpus, memory = read.cpus.get(row.shared.facts or 0, (None, None))
    neighbours = read.neighbours.get(row.key)
    conditions = read.conditions[row.key]
    settings = _settings(own)
    return Observation(
        key=row.key,
        run=row.shared.run,
        properties={
            name: value
            for name, value in conditions.properties.items()
            if name != "queue" or not settings
        },
        settings=settings,
        requested=frozenset(
            one.name for one in effective_settings(own) if one.requested is not None
        ),
        warnings={as_message(text).message: localize_message(text) for text in row.warnings},
        own_rate=read.rates.get(row.attempt) or None,
        device_rate=hosts.sum(Series.Source.DEVICE, _DEVICE),
        other_cpu=hosts.other_cpu(cpus),
        temperature=hosts.highest("temperature"),
        memory_used=hosts.highest("memory_used"),
        memory=memory,
        network_rate=None
        if measures_network(row.tool) or len(own) > 1
        else hosts.sum(Series.Source.HOST, ("network_received", "network_sent")),
        neighbours=neighbours.shares if neighbours else None,
        neighbour_runs=neighbours.runs if neighbours else (),
        is_first=row.key in read.first,
        **reported_conditions([job.exit for job in own]),
    )


def _settings(jobs: Sequence[AttemptJob]) -> dict[str, str]:
    """Return the effective settings by name; different values of several disks as one text."""
    values: dict[str, set[str]] = defaultdict(set)
    for one in effective_settings(jobs):
        if one.during is not None:
            values[one.name].add(one.during)
    return {name: " / ".join(sorted(each)) for name, each in values.items()}
