"""Pairs of levels and baselines, with their conditions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apps.analysis.repeats.confounders import ConfounderCheck
from apps.analysis.repeats.groups import Group
from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.verdicts.multiplicity import ROUNDING, Pair
from apps.analysis.verdicts.windows import incomparable_windows


@dataclass(frozen=True)
class _Side:
    """Repeats of one level.

    `counts`: number of values by metric; `smallest`, `largest`: block sizes, NaN if unknown;
    `first`, `last`: times of measurement, NaN if unknown or of a single repeat.
    """

    rows: Ints
    counts: Sequence[int]
    smallest: float
    largest: float
    first: float
    last: float
    conditions: bytes

    def is_before(self, other: _Side) -> bool:
        return self.last < other.first


def level_pairs(repeats: Repeats, groups: Sequence[Group], factor: str) -> list[tuple[Pair, ...]]:
    """Return the pairs of each group."""
    confounders, windowed = (
        ConfounderCheck(repeats, factor),
        bool(np.isfinite(repeats.windows).any()),
    )
    sides = _sides(repeats, [rows for group in groups for rows in group.sides.values()])
    result = []
    for group in groups:
        base, *others = [(level, next(sides)) for level in group.sides]
        pairs = (_pair(repeats, confounders, windowed, base[1], *other) for other in others)
        result.append(tuple(pairs))
    return result


def _pair(
    repeats: Repeats, confounders: ConfounderCheck, windowed: bool, a: _Side, level: str, b: _Side
) -> Pair:
    separated = a.is_before(b) or b.is_before(a)
    low, high = np.minimum(a.smallest, b.smallest), np.maximum(a.largest, b.largest)
    return Pair(
        level=level,
        a=a.rows,
        b=b.rows,
        differing=confounders.differences(a.conditions, b.conditions, separated=separated),
        counts_a=a.counts,
        counts_b=b.counts,
        same_information=bool(high <= low * (1 + ROUNDING)),
        size=a.smallest,
        separated=separated,
        incomparable_windows=incomparable_windows(repeats, a.rows, b.rows) if windowed else {},
    )


def _sides(repeats: Repeats, sides: Sequence[Ints]) -> Iterator[_Side]:
    """Yield the sides; rows are in the order of measurement."""
    if not sides:
        return
    lengths = np.array([len(rows) for rows in sides])
    starts, rows = np.cumsum(lengths) - lengths, np.concatenate(sides)
    counts = np.add.reduceat(np.isfinite(repeats.values)[rows], starts, dtype=np.int64)
    iops, bandwidth = (repeats.metric(name)[rows] for name in ("iops", "bandwidth"))
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where((iops > 0) & (bandwidth > 0), bandwidth / iops, np.nan)
    smallest, largest = np.minimum.reduceat(size, starts), np.maximum.reduceat(size, starts)
    # A single repeat is always before or after; the time of an import is meaningless.
    ordered = np.logical_and.reduceat(repeats.timed[rows], starts) & (lengths > 1)
    at = repeats.timestamps[rows]
    first = np.where(ordered, at[starts], math.nan).tolist()
    last = np.where(ordered, at[starts + lengths - 1], math.nan).tolist()
    columns = counts.tolist(), smallest.tolist(), largest.tolist(), first, last
    for mine, some, low, high, begin, end in zip(sides, *columns, strict=True):
        yield _Side(mine, some, low, high, begin, end, repeats.conditions[mine].tobytes())
