"""Latency bins as two arrays: added, subtracted and read without a loop over single bins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.tools.histogram import LAST_INDEX, bin_value
from apps.tools.parse_result import Histogram

Integers = NDArray[np.int64]
LONGEST = 16  # digits of a value
MAX_BINS = 4096
# Any sum of so many operations in 4096 jobs still fits 64 bits. A device that does ten million
# operations a second needs three years for them.
MAX_COUNT = 2**50
_MAX_VALUE = 2**63
_AT_ONCE = 64  # bins of so many jobs
_GRID = np.array([bin_value(index) for index in range(LAST_INDEX + 1)], np.int64)


def _none() -> Integers:
    return np.empty(0, np.int64)


@dataclass(slots=True, eq=False)
class Bins:
    """Bin values in ns, ascending, each once, and how many operations fell in each."""

    values: Integers = field(default_factory=_none)
    counts: Integers = field(default_factory=_none)

    def __bool__(self) -> bool:
        return bool(self.values.size)

    def __len__(self) -> int:
        return int(self.values.size)

    @property
    def operations(self) -> int:
        """Operations in all bins."""
        return int(self.counts.sum())


EMPTY = Bins()


def from_counts(counts: Mapping[int, int]) -> Bins | None:
    """Bins of fio 3.x, values in ns; None where values do not ascend or a number is too large."""
    values = np.fromiter(counts, np.int64, len(counts))
    numbers = np.fromiter(counts.values(), np.int64, len(counts))
    if not counts or len(counts) > MAX_BINS:
        return EMPTY
    sound = values[0] >= 0 and values[-1] < 10**LONGEST and (values[1:] > values[:-1]).all()
    if not sound or numbers.min() < 0 or numbers.max() >= MAX_COUNT:
        return None
    return narrowed(Bins(values, numbers))


def from_mapping(counts: Mapping[int, int]) -> Bins:
    """Bins from value (ns) -> operations; what no fio can have counted is left out."""
    kept = sorted(
        (value, count)
        for value, count in counts.items()
        if 0 <= value < _MAX_VALUE and 0 <= count < MAX_COUNT
    )
    if not kept:
        return EMPTY
    pairs = np.array(kept, np.int64)
    return Bins(pairs[:, 0], pairs[:, 1])


def added(parts: Sequence[Bins]) -> Bins:
    """The bins of all parts together, some parts at a time: their copies in 64 bits are never all
    in memory.
    """
    if len(parts) == 1 and parts[0].values.dtype == np.int64:
        return parts[0]
    whole = _added(parts[:_AT_ONCE])
    for at in range(_AT_ONCE, len(parts), _AT_ONCE):
        whole = _added([whole, *parts[at : at + _AT_ONCE]])
    return whole


def _added(parts: Sequence[Bins]) -> Bins:
    values = np.concatenate([_wide(part.values) for part in parts] or [_none()])
    counts = np.concatenate([_wide(part.counts) for part in parts] or [_none()])
    # fio knows less than two thousand values: looking them up is quicker than sorting.
    places = np.minimum(np.searchsorted(_GRID, values), LAST_INDEX)
    if np.array_equal(_GRID[places], values):
        seen, found = np.flatnonzero(np.bincount(places, minlength=1)), _GRID
    else:
        found, places = np.unique(values, return_inverse=True)
        seen = np.arange(found.size)
    sums = np.zeros(found.size, np.int64)
    np.add.at(sums, places, counts)
    return Bins(found[seen], sums[seen])


def _wide(column: Integers) -> Integers:
    return column.astype(np.int64, copy=False)


def narrowed(bins: Bins) -> Bins:
    """The same in half the memory, where the numbers allow it; `added` widens them again."""
    if not bins or max(int(bins.values[-1]), int(bins.counts.max())) >= 2**31:
        return bins
    values: Any = bins.values.astype(np.int32)
    counts: Any = bins.counts.astype(np.int32)
    return Bins(values, counts)


def grown(before: Bins, after: Bins) -> Bins | None:
    """Counts between two cumulative states; None if a bin shrank: fio counts anew."""
    if not before:
        return after
    known = before.counts > 0
    values, counts = before.values[known], before.counts[known]
    places = np.searchsorted(after.values, values)
    if places.size and places[-1] >= len(after):
        return None
    if not np.array_equal(after.values[places], values):
        return None
    more = after.counts.copy()
    more[places] -= counts
    return None if (more < 0).any() else Bins(after.values, more)


def histogram(bins: Bins) -> Histogram | None:
    """The distribution; None when nothing was counted."""
    present = bins.counts > 0
    if not present.any():
        return None
    values, counts = bins.values[present].tolist(), bins.counts[present].tolist()
    return Histogram(bins=tuple(values), counts=tuple(counts))


def percentiles(bins: Bins, wanted: Iterable[str]) -> dict[str, float]:
    """As `apps.tools.histogram.percentiles`: the first bin at which the running count reaches
    `percentage / 100 * total`; empty when nothing was counted.
    """
    present = np.flatnonzero(bins.counts > 0)
    if not present.size:
        return {}
    running = np.cumsum(bins.counts[present])
    names = list(wanted)
    goals = [float(name) / 100.0 * int(running[-1]) for name in names]
    places = np.minimum(np.searchsorted(running, goals), present.size - 1)
    return dict(zip(names, bins.values[present[places]].tolist(), strict=True))
