"""Every level against the baseline, in columns: an object is made of those that are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from apps.analysis.compare.matching.groups import Group
from apps.analysis.compare.matching.guard import Difference, Guard
from apps.analysis.compare.matching.repeats import Flags, Floats, Ints, Repeats
from apps.analysis.compare.verdicts.family import ROUNDING, Pair, marked
from apps.analysis.compare.verdicts.windows import Apart, windows_apart
from apps.tools.metrics import COMPARED

T = TypeVar("T")


class PairColumns:
    """A row is a pair: a level and the baseline of one group, group after group. `rows`: repeats of
    all sides, one side after another; `starts` and `lengths` say of each side where they stand.
    `a` and `b`: the sides of each pair; `group`: its group; `first` and `ends`: where the pairs of
    each group begin and end.
    """

    def __init__(self, repeats: Repeats, groups: Sequence[Group], factor: str) -> None:
        self.sides = sides = [rows for group in groups for rows in group.sides.values()]
        self.repeats, self.groups = repeats, groups
        self.lengths = np.array([len(rows) for rows in sides], dtype=np.int64)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.rows = np.concatenate(sides) if sides else np.empty(0, dtype=np.int64)
        pairs = np.array([len(group.sides) - 1 for group in groups], dtype=np.int64)
        self.ends = np.cumsum(pairs)
        self.first = self.ends - pairs
        self.group = np.repeat(np.arange(len(groups)), pairs)
        self.a = (self.first + np.arange(len(groups)))[self.group]
        self.b = self.a + 1 + np.arange(len(self.group)) - self.first[self.group]
        self._guard = Guard(repeats, factor)

    def __len__(self) -> int:
        return len(self.group)

    def of_group(self, group: int) -> range:
        """The pairs of a group."""
        first = int(self.first[group])
        return range(first, first + len(self.groups[group].sides) - 1)

    def pair(self, place: int) -> Pair:
        """One pair as an object."""
        group, a, b = self.group[place], self.a[place], self.b[place]
        (_base, mine), *others = self.groups[group].sides.items()
        level, rows = others[place - self.first[group]]
        counts = self.counts
        return Pair(
            level, mine, rows, self.differing[place], counts[a].tolist(), counts[b].tolist(),
            bool(self.same_information[place]), float(self._sizes[0][a]),
        )  # fmt: skip

    @cached_property
    def counts(self) -> Ints:
        """Numbers of repeats with a value, by side and by place in COMPARED."""
        found = np.zeros((len(self.lengths), len(COMPARED)), dtype=np.int64)
        for place, metric in enumerate(COMPARED if len(found) else ()):
            known = np.isfinite(self.repeats.metric(metric))
            if known.all():
                found[:, place] = self.lengths
            elif known.any():
                found[:, place] = np.add.reduceat(known[self.rows], self.starts, dtype=np.int64)
        return found

    @cached_property
    def _sizes(self) -> tuple[Floats, Floats]:
        """The smallest and the largest block size of each side's repeats; NaN where one has
        none.
        """
        iops, bandwidth = (self.repeats.metric(name)[self.rows] for name in ("iops", "bandwidth"))
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.where((iops > 0) & (bandwidth > 0), bandwidth / iops, np.nan)
        if not len(self.starts):
            return size, size
        return np.minimum.reduceat(size, self.starts), np.maximum.reduceat(size, self.starts)

    @cached_property
    def same_information(self) -> Flags:
        """Whether both sides' repeats have one block size; a repeat without one (NaN) has not."""
        smallest, largest = self._sizes
        least = np.minimum(smallest[self.a], smallest[self.b])
        found: Flags = np.maximum(largest[self.a], largest[self.b]) <= least * (1 + ROUNDING)
        return found

    @property
    def baseline_sizes(self) -> Floats:
        """The smallest block size of each pair's baseline, bytes; NaN where one has none."""
        found: Floats = self._sizes[0][self.a]
        return found

    @cached_property
    def present(self) -> list[frozenset[str]]:
        """The metrics of which both sides have a value."""
        return _sets((self.counts > 0)[self.a] & (self.counts > 0)[self.b])

    @cached_property
    def windows_apart(self) -> list[Apart]:
        """By pair: metrics that cannot be compared, as their windows differ."""
        return windows_apart(self.repeats, self.sides, self.a, self.b)

    @cached_property
    def testable(self) -> list[frozenset[str]]:
        """The metrics of which both sides have a value, over the same windows."""
        rows = zip(self.present, self.windows_apart, strict=True)
        return [present.difference(apart) for present, apart in rows]

    @cached_property
    def measured(self) -> list[frozenset[str]]:
        """The metrics of which any side of each group has a value."""
        any_side = (self.counts > 0)[self.b]
        if len(any_side):
            of_group = np.logical_or.reduceat(any_side, self.first)
            any_side = of_group | (self.counts > 0)[self.a[self.first]]
        return _sets(any_side)

    @cached_property
    def separated(self) -> Flags:
        """Whether one side ran completely before the other. A single repeat is always before or
        after, so that says nothing; neither does the time of an import. Rows are in order.
        """
        at, ends = self.repeats.at[self.rows], self.starts + self.lengths - 1
        timed = np.ones(len(self.starts), dtype=bool)
        if len(timed) and not self.repeats.all_timed:
            timed = np.logical_and.reduceat(self.repeats.timed[self.rows], self.starts)
        usable, a, b = timed & (self.lengths > 1), self.a, self.b
        before = at[ends[a]] < at[self.starts[b]]
        behind = at[ends[b]] < at[self.starts[a]]
        found: Flags = usable[a] & usable[b] & (before | behind)
        return found

    @cached_property
    def differing(self) -> list[tuple[Difference, ...]]:
        """Everything beyond the factor in which the sides of each pair differ."""
        conditions = self.sides_bytes(self.repeats.conditions)
        rows = zip(self.a.tolist(), self.b.tolist(), self.separated.tolist(), strict=True)
        find = self._guard.differences
        return [find(conditions[a], conditions[b], separated=apart) for a, b, apart in rows]

    def sides_bytes(self, column: Ints) -> list[bytes]:
        """A column's values of each side, as bytes (int64)."""
        data = column[self.rows].tobytes()
        ends = (8 * (self.starts + self.lengths)).tolist()
        starts = (8 * self.starts).tolist()
        return [data[start:end] for start, end in zip(starts, ends, strict=True)]

    def matrix(self, sides: Ints, length: int) -> Ints:
        """The repeats of these sides, which have so many each: a row a side."""
        found: Ints = self.rows[self.starts[sides][:, None] + np.arange(length)]
        return found


def _sets(marks: Flags) -> list[frozenset[str]]:
    """Sets of metrics, from a mask for each of COMPARED; thousands have the same."""
    bits = (marks @ (1 << np.arange(marks.shape[1]))).tolist()
    known: dict[int, frozenset[str]] = {}
    for place, code in enumerate(bits):
        if code not in known:
            known[code] = marked(tuple(marks[place].tolist()))
    return [known[code] for code in bits]


def numbered(values: Iterable[T]) -> tuple[list[T], Ints]:
    """The different values, and the number of each."""
    numbers: dict[T, int] = {}
    of = [numbers.setdefault(value, len(numbers)) for value in values]
    return list(numbers), np.array(of, dtype=np.int64)
