"""Which comparisons are tested together. Decided by the numbers of repeats alone, never by what
was measured, so the promise of 5 in 100 stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analysis.compare.guard import Difference
from apps.analysis.compare.repeats import Repeat
from apps.analysis.compare.stats import ALPHA, floor_p, within_reach
from apps.tools.metrics import BY_WEIGHT, COMPARED

ROUNDING = 1e-3


@dataclass(frozen=True)
class Pair:
    """A level (`b`) against the baseline (`a`) in one group."""

    slug: str
    level: str
    a: Sequence[Repeat]
    b: Sequence[Repeat]
    differing: tuple[Difference, ...]


def same_information(pair: Pair) -> bool:
    """Whether bandwidth is IOPS times one block size in every repeat: then they are one
    comparison, said twice.
    """
    sizes = []
    for repeat in (*pair.a, *pair.b):
        iops, bandwidth = repeat.value("iops"), repeat.value("bandwidth")
        if not iops or not bandwidth:
            return False
        sizes.append(bandwidth / iops)
    return bool(sizes) and max(sizes) <= min(sizes) * (1 + ROUNDING)


def choose_metrics(pairs: Sequence[Pair], asked: Sequence[str]) -> tuple[str, ...]:
    """The metrics to test, in COMPARED's order: those asked for, or as many of BY_WEIGHT as can be
    tested without any comparison of the first one falling out of reach. Where there are too many
    comparisons even for the first one, it stays alone, so that the repeats to ask for are few.
    """
    if asked:
        return tuple(metric for metric in COMPARED if metric in asked)
    present = [metric for metric in BY_WEIGHT if _has(pairs, metric)]
    kept = present[:1]
    floors = first = _floors(pairs, kept[0], kept) if kept else []
    alone = sum(within_reach(first))
    too_many = not alone and min(first, default=1.0) <= ALPHA
    for metric in present[1:]:
        more = floors + _floors(pairs, metric, kept)
        lost = sum(within_reach(more)[: len(first)]) < alone
        if lost or (too_many and len(more) > len(first)):
            break
        kept, floors = [*kept, metric], more
    return tuple(metric for metric in COMPARED if metric in kept)


def _floors(pairs: Sequence[Pair], metric: str, beside: Sequence[str]) -> list[float]:
    """The smallest p of every comparison of this metric that would be tested for itself."""
    twice = metric == "bandwidth" and "iops" in beside
    return [
        1.0 if pair.differing else floor_p(_count(pair.a, metric), _count(pair.b, metric))
        for pair in pairs
        if not (twice and same_information(pair))
    ]


def _has(pairs: Sequence[Pair], metric: str) -> bool:
    return any(_count(pair.a, metric) and _count(pair.b, metric) for pair in pairs)


def _count(side: Sequence[Repeat], metric: str) -> int:
    place = COMPARED.index(metric)
    return sum(repeat.values[place] is not None for repeat in side)
