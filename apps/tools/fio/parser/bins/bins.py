"""Latency bins as two arrays: vectorised addition, subtraction and percentiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.tools.histogram import LAST_INDEX, bin_value, percentile_indices
from apps.tools.parse_result import Histogram

Integers = NDArray[np.int64]
MAX_DIGITS = 16  # maximum digits of a value
MAX_BINS = 4096
# The sum over 4096 jobs fits 64 bits. A device with ten million operations/s needs three years to
# reach this count.
MAX_COUNT = 2**50
_MAX_VALUE = 2**63
_CHUNK_SIZE = 64  # jobs whose bins are added at once
_GRID = np.array([bin_value(index) for index in range(LAST_INDEX + 1)], np.int64)


def _none() -> Integers:
    return np.empty(0, np.int64)


@dataclass(slots=True, eq=False)
class Bins:
    """Distinct ascending bin values in ns, and the number of operations in each."""

    values: Integers = field(default_factory=_none)
    counts: Integers = field(default_factory=_none)

    def __bool__(self) -> bool:
        return bool(self.values.size)

    def __len__(self) -> int:
        return int(self.values.size)

    @property
    def operations(self) -> int:
        """Return the operations in all bins."""
        return int(self.counts.sum())


EMPTY = Bins()


def from_counts(counts: Mapping[int, int]) -> Bins | None:
    """Return the bins of fio 3.x, values in ns; None if not ascending or a number is too large."""
    values = np.fromiter(counts, np.int64, len(counts))
    numbers = np.fromiter(counts.values(), np.int64, len(counts))
    if not counts or len(counts) > MAX_BINS:
        return EMPTY
    is_ascending = (
        values[0] >= 0 and values[-1] < 10**MAX_DIGITS and (values[1:] > values[:-1]).all()
    )
    if not is_ascending or numbers.min() < 0 or numbers.max() >= MAX_COUNT:
        return None
    return narrowed(Bins(values, numbers))


def from_mapping(counts: Mapping[int, int]) -> Bins:
    """Return bins from value (ns) -> operations, without values that fio cannot count."""
    valid = sorted(
        (value, count)
        for value, count in counts.items()
        if 0 <= value < _MAX_VALUE and 0 <= count < MAX_COUNT
    )
    if not valid:
        return EMPTY
    pairs = np.array(valid, np.int64)
    return Bins(pairs[:, 0], pairs[:, 1])


def added(parts: Sequence[Bins]) -> Bins:
    """Return the sum of the bins of all parts.

    Adds a limited number of parts at a time, to limit the memory for 64-bit copies.
    """
    if len(parts) == 1 and parts[0].values.dtype == np.int64:
        return parts[0]
    whole = _added(parts[:_CHUNK_SIZE])
    for at in range(_CHUNK_SIZE, len(parts), _CHUNK_SIZE):
        whole = _added([whole, *parts[at : at + _CHUNK_SIZE]])
    return whole


def _added(parts: Sequence[Bins]) -> Bins:
    values = np.concatenate([_wide(part.values) for part in parts] or [_none()])
    counts = np.concatenate([_wide(part.counts) for part in parts] or [_none()])
    # fio has less than two thousand values: searchsorted is faster than sorting.
    indices = np.minimum(np.searchsorted(_GRID, values), LAST_INDEX)
    if np.array_equal(_GRID[indices], values):
        nonempty, result = np.flatnonzero(np.bincount(indices, minlength=1)), _GRID
    else:
        result, indices = np.unique(values, return_inverse=True)
        nonempty = np.arange(result.size)
    sums = np.zeros(result.size, np.int64)
    np.add.at(sums, indices, counts)
    return Bins(result[nonempty], sums[nonempty])


def _wide(column: Integers) -> Integers:
    return column.astype(np.int64, copy=False)


def narrowed(bins: Bins) -> Bins:
    """Return the bins in 32 bits if the numbers allow it; `added` widens them again."""
    if not bins or max(int(bins.values[-1]), int(bins.counts.max())) >= 2**31:
        return bins
    values: Any = bins.values.astype(np.int32)
    counts: Any = bins.counts.astype(np.int32)
    return Bins(values, counts)


def grown(before: Bins, after: Bins) -> Bins | None:
    """Return the counts between two cumulative states; None if a bin shrank (fio reset them)."""
    if not before:
        return after
    nonempty = before.counts > 0
    values, counts = before.values[nonempty], before.counts[nonempty]
    indices = np.searchsorted(after.values, values)
    if indices.size and indices[-1] >= len(after):
        return None
    if not np.array_equal(after.values[indices], values):
        return None
    more = after.counts.copy()
    more[indices] -= counts
    return None if (more < 0).any() else Bins(after.values, more)


def histogram(bins: Bins) -> Histogram | None:
    """Return the distribution; None if nothing was counted."""
    present = bins.counts > 0
    if not present.any():
        return None
    values, counts = bins.values[present].tolist(), bins.counts[present].tolist()
    return Histogram(bins=tuple(values), counts=tuple(counts))


def percentiles(bins: Bins, percentages: Iterable[str]) -> dict[str, float]:
    """Return percentiles in ns by fio's rule, `percentile_indices`; {} if nothing was counted."""
    if not np.any(bins.counts > 0):
        return {}
    names = list(percentages)
    indices = percentile_indices(bins.counts, [float(name) for name in names])
    return dict(zip(names, bins.values[indices].tolist(), strict=True))
