"""Time that runs still need, from the expected durations of their open cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max, Min, Sum

from apps.plans.domain.durations import DurationSpread
from apps.plans.selectors.durations import duration_spreads
from apps.runs.domain.closures import RunNeed
from apps.runs.models import Case, CaseState
from apps.runs.selectors.participation import hosts_of_runs


@dataclass(frozen=True)
class _Part:
    """Pending cases of one block on one target; seconds as expected."""

    target: int
    block: int
    total: float
    longest: float
    first: int


def run_needs(runs: Collection[int]) -> dict[int, RunNeed]:
    """Return the need of each run by its pending cases: three queries."""
    pending = Case.objects.filter(run__in=runs, state=CaseState.PENDING).order_by()
    rows = pending.values_list("run_id", "run_target_id", "block").annotate(
        Sum("expected_seconds"), Max("expected_seconds"), Min("sequence")
    )
    parts: dict[int, list[_Part]] = defaultdict(list)
    for run, *values in rows:
        parts[run].append(_Part(*values))
    hosts = hosts_of_runs(runs)
    spreads = duration_spreads({host for ids in hosts.values() for host in ids})
    return {run: _need(parts.get(run, []), hosts, spreads) for run in runs}


def _need(
    parts: Sequence[_Part],
    hosts: Mapping[int, Sequence[int]],
    spreads: Mapping[int, DurationSpread],
) -> RunNeed:
    if not parts:
        return RunNeed()
    next_block = min(parts, key=lambda part: part.first).block
    own = [part for part in parts if part.block == next_block]
    case = max(part.longest * _p90(hosts[part.target], spreads) for part in own)
    return RunNeed(
        block=_busiest(own, hosts, spreads, 0.9) if next_block else case,
        case=case,
        median=_busiest(parts, hosts, spreads, 0.5),
        p90=_busiest(parts, hosts, spreads, 0.9),
    )


def _busiest(
    parts: Iterable[_Part],
    hosts: Mapping[int, Sequence[int]],
    spreads: Mapping[int, DurationSpread],
    percentile: float,
) -> float:
    """Return the seconds of the busiest host; hosts work in parallel."""
    seconds: dict[int, float] = defaultdict(float)
    for part in parts:
        for host in hosts[part.target]:
            spread = spreads[host]
            seconds[host] += part.total * (spread.p90 if percentile > 0.5 else spread.median)
    return max(seconds.values(), default=0.0)


def _p90(hosts: Sequence[int], spreads: Mapping[int, DurationSpread]) -> float:
    return max((spreads[host].p90 for host in hosts), default=DurationSpread().p90)


def starting_need(run_id: int, cases: Collection[Case]) -> RunNeed:
    """Return the need of cases of a running run that start now: the longest of them.

    A case that begins its block stands for the whole block.
    """
    hosts = hosts_of_runs([run_id])
    spreads = duration_spreads({host for ids in hosts.values() for host in ids})
    longest = max(
        case.expected_seconds * _p90(hosts[case.run_target_id], spreads) for case in cases
    )
    blocks = _unstarted({case.block for case in cases if case.block}, run_id)
    seconds = [
        _busiest([part for part in parts if part.block == block], hosts, spreads, 0.9)
        for block, parts in blocks.items()
    ]
    return RunNeed(block=max([longest, *seconds]), case=longest)


def _unstarted(blocks: Collection[int], run_id: int) -> dict[int, list[_Part]]:
    """Return those of the blocks of which no case has started."""
    if not blocks:
        return {}
    rows = Case.objects.filter(run=run_id, block__in=blocks).order_by()
    begun = rows.exclude(state=CaseState.PENDING).values_list("block", flat=True)
    left = rows.exclude(block__in=set(begun)).values_list("run_target_id", "block")
    parts = left.annotate(Sum("expected_seconds"), Max("expected_seconds"), Min("sequence"))
    result: dict[int, list[_Part]] = defaultdict(list)
    for values in parts:
        result[values[1]].append(_Part(*values))
    return result
