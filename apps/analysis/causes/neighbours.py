"""Other runs at the same time on the same controller, host, storage system or network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Q

from apps.analysis.causes.resources import Resources, resources_of
from apps.analysis.repeats.conditions import SharedConditions
from apps.runs.models import Attempt, Run

MAX_ATTEMPTS = 5_000
"""Limit of attempts of other runs that are read. With more, none are: a part would mislead."""
MAX_RUNS = 500


@dataclass(frozen=True)
class TestTime:
    """When a repeat was measured, and what it shares with others."""

    key: int
    shared: SharedConditions
    started_at: datetime
    ended_at: datetime

    @property
    def run(self) -> int:
        return self.shared.run


@dataclass(frozen=True)
class Neighbours:
    """Share of a test with another run beside it by kind of resource, and those runs."""

    shares: Mapping[str, float] = field(default_factory=dict)
    runs: tuple[int, ...] = ()


@dataclass(frozen=True)
class OtherTest:
    """Attempt of another run with its resources."""

    run: int
    resources: Resources
    started_at: datetime
    ended_at: datetime


def neighbours_of(tests: Sequence[TestTime]) -> dict[int, Neighbours]:
    """Return the neighbours of each test by its key; absent: unknown. A constant number of queries.

    Of runs on the same controller only this nearer resource is named, if all of them are.
    """
    others = _other_tests(tests)
    if others is None:
        return {}
    mine = resources_of([test.shared for test in tests]) if others else [Resources()] * len(tests)
    found = {
        test.key: neighbours_of_test(test, resources, others)
        for test, resources in zip(tests, mine, strict=True)
    }
    if all(one.shares.get("bus") == one.shares.get("host") for one in found.values()):
        return {key: _without_host(one) for key, one in found.items()}
    return found


def _without_host(neighbours: Neighbours) -> Neighbours:
    shares = {name: share for name, share in neighbours.shares.items() if name != "host"}
    return Neighbours(shares, neighbours.runs)


def neighbours_of_test(
    test: TestTime, resources: Resources, others: Sequence[OtherTest]
) -> Neighbours:
    """Return the neighbours of one test: the share of its time that each kind covers."""
    seconds = (test.ended_at - test.started_at).total_seconds()
    spans: dict[str, list[tuple[float, float]]] = {}
    runs: list[int] = []
    for other in others:
        start = max(test.started_at, other.started_at)
        end = min(test.ended_at, other.ended_at)
        if other.run == test.run or start >= end:
            continue
        begin = (start - test.started_at).total_seconds()
        for kind in resources.shared_with(other.resources):
            spans.setdefault(kind, []).append((begin, (end - test.started_at).total_seconds()))
            runs.append(other.run)
    shares = {kind: _covered(each) / seconds for kind, each in spans.items() if seconds > 0}
    return Neighbours(shares, tuple(dict.fromkeys(runs)))


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    """Return the length of the union of intervals."""
    covered, reach = 0.0, 0.0
    for start, end in sorted(spans):
        covered += max(0.0, end - max(start, reach))
        reach = max(reach, end)
    return covered


def _other_tests(tests: Sequence[TestTime]) -> list[OtherTest] | None:
    """Return the attempts of runs that were active beside these tests; None if too many."""
    if not tests:
        return []
    windows = list(_windows(tests))
    beside_windows = (
        Q(started_at__lte=end) & (Q(finished_at__gte=start) | Q(finished_at__isnull=True))
        for start, end in windows
    )
    active = Run.objects.filter(reduce(or_, beside_windows), queued_at__lte=windows[-1][1])
    runs = list(active.order_by("-pk").values_list("pk", flat=True)[: MAX_RUNS + 1])
    overlapping = (Q(started_at__lt=end, ended_at__gt=start) for start, end in windows)
    attempts = list(
        Attempt.objects.filter(reduce(or_, overlapping), case__run__in=runs)
        .select_related("case__run_target", "case__background__run_target")
        .order_by("started_at")[: MAX_ATTEMPTS + 1]
    )
    if len(runs) > MAX_RUNS or len(attempts) > MAX_ATTEMPTS:
        return None
    return list(_with_resources(attempts))


def _windows(tests: Sequence[TestTime]) -> Iterator[tuple[datetime, datetime]]:
    """Yield the times of the runs of these tests in order; overlapping ones as one."""
    runs: dict[int, list[TestTime]] = {}
    for test in tests:
        runs.setdefault(test.run, []).append(test)
    spans = sorted(
        (min(one.started_at for one in each), max(one.ended_at for one in each))
        for each in runs.values()
    )
    start, end = spans[0]
    for begin, last in spans[1:]:
        if begin > end:
            yield start, end
            start, end = begin, last
        end = max(end, last)
    yield start, end


def _with_resources(attempts: Sequence[Attempt]) -> Iterator[OtherTest]:
    """Yield the attempts with the resources of their targets, and those of a load beside it."""
    keys = [
        (one, target)
        for one in attempts
        for target in (one.case.run_target, one.case.background_target)
        if target is not None
    ]
    resources = resources_of([_conditions_key(one, target.pk) for one, target in keys])
    for (one, _target), each in zip(keys, resources, strict=True):
        if one.started_at is not None and one.ended_at is not None:
            yield OtherTest(one.case.run_id, each, one.started_at, one.ended_at)


def _conditions_key(attempt: Attempt, run_target: int) -> SharedConditions:
    case = attempt.case
    return SharedConditions(
        case.run_id, run_target, case.run_tuning_id, attempt.facts_id,
        attempt.tool_version, 0, False, "",
    )  # fmt: skip
