"""Which comparisons are tested together. Decided by the numbers of repeats alone, never by what was
measured, so the promise of 5 in 100 stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.analysis.compare.guard import Difference
from apps.analysis.compare.repeats import Ints, Repeats
from apps.analysis.compare.stats import ALPHA, floor_p, within_reach
from apps.tools.metrics import BY_WEIGHT, COMPARED

ROUNDING = 1e-3


@dataclass(frozen=True)
class Pair:
    """A level (`b`) against the baseline (`a`) in one group: rows of repeats. `counts_a` and
    `counts_b`: how many of them have a value of each of COMPARED. `same_information`: bandwidth is
    IOPS times one block size in every repeat, so that they are one comparison, said twice.
    """

    level: str
    a: Ints
    b: Ints
    differing: tuple[Difference, ...]
    counts_a: Sequence[int]
    counts_b: Sequence[int]
    same_information: bool

    def counts(self, metric: str) -> tuple[int, int]:
        place = COMPARED.index(metric)
        return self.counts_a[place], self.counts_b[place]


class Counted:
    """What is counted of each side, for all sides at once: they are given one after another."""

    def __init__(self, repeats: Repeats, sides: Sequence[Ints]) -> None:
        lengths = [len(rows) for rows in sides]
        starts = np.cumsum([0, *lengths[:-1]], dtype=np.int64)
        rows = np.concatenate(sides)
        values = np.isfinite(repeats.values[rows])
        self.values: list[list[int]] = np.add.reduceat(values, starts, dtype=np.int64).tolist()
        iops, bandwidth = repeats.metric("iops")[rows], repeats.metric("bandwidth")[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.where((iops > 0) & (bandwidth > 0), bandwidth / iops, np.nan)
        self._smallest: list[float] = np.minimum.reduceat(size, starts).tolist()
        self._largest: list[float] = np.maximum.reduceat(size, starts).tolist()

    def same_information(self, a: int, b: int) -> bool:
        """Whether both sides' repeats have one block size; a repeat without one (NaN) has not."""
        sizes = self._smallest[a], self._smallest[b], self._largest[a], self._largest[b]
        return max(sizes) <= min(sizes) * (1 + ROUNDING) and not np.isnan(sizes).any()


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
        1.0 if pair.differing else floor_p(*pair.counts(metric))
        for pair in pairs
        if not (twice and pair.same_information)
    ]


def _has(pairs: Sequence[Pair], metric: str) -> bool:
    return any(all(pair.counts(metric)) for pair in pairs)
