"""Other runs at the same time on the same host or storage system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from apps.analysis.repeats.conditions import SharedConditions, conditions_of
from apps.analysis.repeats.repeats import UNKNOWN, Conditions
from apps.runs.models import Attempt, Run

MAX_ATTEMPTS = 5_000
"""Limit of attempts of other runs that are read."""
MAX_RUNS = 200


@dataclass(frozen=True)
class TestTime:
    """When and where a repeat was measured."""

    key: int
    run: int
    host: int
    started_at: datetime
    ended_at: datetime


@dataclass(frozen=True)
class Neighbours:
    """Share of a test with another run beside it, by "host" or "storage", and those runs."""

    shares: Mapping[str, float] = field(default_factory=dict)
    runs: tuple[int, ...] = ()


@dataclass(frozen=True)
class OtherTest:
    """Attempt of another run: its hosts, and the storage systems that it uses."""

    run: int
    hosts: frozenset[int]
    storage: frozenset[str]
    started_at: datetime
    ended_at: datetime


def neighbours_of(
    tests: Sequence[TestTime], conditions: Mapping[int, Conditions]
) -> dict[int, Neighbours]:
    """Return the neighbours of each test by its key. Three queries and those of `conditions_of`."""
    others = _other_tests(tests)
    return {test.key: beside(test, storage_systems(conditions[test.key]), others) for test in tests}


def beside(test: TestTime, storage: frozenset[str], others: Sequence[OtherTest]) -> Neighbours:
    """Return the neighbours of one test: the share of its time that each kind covers."""
    seconds = (test.ended_at - test.started_at).total_seconds()
    spans: dict[str, list[tuple[float, float]]] = {}
    runs: list[int] = []
    for other in others:
        start = max(test.started_at, other.started_at)
        end = min(test.ended_at, other.ended_at)
        kind = _shared_resource(test, storage, other)
        if other.run == test.run or start >= end or not kind:
            continue
        begin = (start - test.started_at).total_seconds()
        spans.setdefault(kind, []).append((begin, (end - test.started_at).total_seconds()))
        runs.append(other.run)
    shares = {kind: _covered(each) / seconds for kind, each in spans.items() if seconds > 0}
    return Neighbours(shares, tuple(dict.fromkeys(runs)))


def _shared_resource(test: TestTime, storage: frozenset[str], other: OtherTest) -> str:
    if test.host in other.hosts:
        return "host"
    return "storage" if storage & other.storage else ""


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    """Return the length of the union of intervals."""
    covered, reach = 0.0, 0.0
    for start, end in sorted(spans):
        covered += max(0.0, end - max(start, reach))
        reach = max(reach, end)
    return covered


def storage_systems(conditions: Conditions) -> frozenset[str]:
    """Return the remote systems that store a target: the target of its fabric, its file server."""
    fabric = conditions.properties.get("fabric", "")
    mount = conditions.properties.get("mount", "")
    server = mount.partition(",")[0].partition(" of ")[2]
    name = fabric.rpartition(", ")[2] if ", " in fabric else ""
    return frozenset(one for one in (name, server) if one and one != UNKNOWN)


def _other_tests(tests: Sequence[TestTime]) -> list[OtherTest]:
    """Return the attempts of all runs that were active between the first and the last test."""
    if not tests:
        return []
    start, end = min(one.started_at for one in tests), max(one.ended_at for one in tests)
    active = Run.objects.filter(
        Q(finished_at__gte=start) | Q(finished_at__isnull=True), queued_at__lte=end
    )
    runs = active.filter(started_at__lte=end).order_by("-pk").values_list("pk", flat=True)
    rows = (
        Attempt.objects.filter(
            case__run__in=list(runs[:MAX_RUNS]), started_at__lt=end, ended_at__gt=start
        )
        .select_related("case__run_target", "case__background__run_target")
        .prefetch_related("case__run_target__members", "case__background__run_target__members")
        .order_by("started_at")[:MAX_ATTEMPTS]
    )
    attempts = list(rows)
    conditions = conditions_of([_conditions_key(one) for one in attempts])
    return [
        OtherTest(
            one.case.run_id, frozenset(one.case.host_ids), storage_systems(here),
            one.started_at, one.ended_at,
        )
        for one, here in zip(attempts, conditions, strict=True)
        if one.started_at and one.ended_at
    ]  # fmt: skip


def _conditions_key(attempt: Attempt) -> SharedConditions:
    case = attempt.case
    return SharedConditions(
        case.run_id, case.run_target_id, case.run_tuning_id, attempt.facts_id,
        attempt.tool_version, 0, False, "",
    )  # fmt: skip
