"""Latency distributions on fio's log-linear bins. Percentiles are merged by adding counts.

The bins are those of fio's stat.h (FIO_IO_U_PLAT_BITS 6): 64 linear steps in every octave, so the
error of a value is at most 1.6 %. The value of a bin is its centre in nanoseconds, as in fio's
JSON+. Plain Python for parsers; pages use `apps.common.domain.histograms` with numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .metrics import with_percentiles
from .parse_result import Histogram, Latency

_BITS = 6
_STEPS = 1 << _BITS
_GROUPS = 29
LAST_INDEX = _STEPS * _GROUPS - 1
PERCENTILES = with_percentiles(
    *("1", "5", "10", "20", "30", "40", "60", "70", "80", "90", "99.5", "99.95")
)
"""Percentiles computed from a distribution, and requested from tools with such an option."""


def bin_index(ns: int) -> int:
    """Return the bin of a latency (fio: plat_val_to_idx); the last bin has everything above."""
    top_bit = max(ns, 1).bit_length() - 1
    if top_bit <= _BITS:
        return max(ns, 0)
    error_bits = top_bit - _BITS
    offset = (_STEPS - 1) & (ns >> error_bits)
    return min(((error_bits + 1) << _BITS) + offset, LAST_INDEX)


def bin_value(index: int) -> int:
    """Return the centre of a bin in nanoseconds (fio: plat_idx_to_val)."""
    if index < _STEPS << 1:
        return index
    error_bits = (index >> _BITS) - 1
    base = 1 << (error_bits + _BITS)
    step = index % _STEPS
    # fio adds half a step as a double and truncates; steps are even here, so this is exact.
    return base + (step << error_bits) + (1 << (error_bits - 1))


def bin_top(value: int) -> int:
    """Return the largest latency in ns in the bin of a value."""
    index = bin_index(value)
    if index < _STEPS << 1:
        return index
    error_bits = (index >> _BITS) - 1
    return (1 << (error_bits + _BITS)) + ((index % _STEPS + 1) << error_bits) - 1


def from_counts(counts: Mapping[int, int]) -> Histogram | None:
    """Build a histogram from bin value (ns) -> count; None without any count."""
    present = sorted((value, count) for value, count in counts.items() if count > 0)
    if not present:
        return None
    bins, numbers = zip(*present, strict=True)
    return Histogram(bins=bins, counts=numbers)


def merge(histograms: Iterable[Histogram | None]) -> Histogram | None:
    """Add the histograms of several jobs, hosts or repeats; None if any is missing."""
    counts: dict[int, int] = {}
    for histogram in histograms:
        if histogram is None:
            return None
        for value, count in zip(histogram.bins, histogram.counts, strict=True):
            counts[value] = counts.get(value, 0) + count
    return from_counts(counts)


def percentile_indices(
    counts: Sequence[int] | npt.NDArray[np.int64], percentages: Sequence[float]
) -> npt.NDArray[np.intp]:
    """Return the index of the bin at each percentile (0 to 100) of at least one operation.

    The rule is fio's (stat.c, calc_clat_percentiles): the first bin at which the running count
    reaches `percentage / 100 * total` in C's long double. In doubles, 99.95 % of 2,000 operations
    would be one operation less.
    """
    numbers = np.asarray(counts, dtype=np.int64)
    running = np.cumsum(numbers)
    goals = np.asarray(percentages, dtype=np.float64).astype(np.longdouble) / 100 * running[-1]
    indices = np.searchsorted(running.astype(np.longdouble), goals, side="left")
    occupied = np.flatnonzero(numbers)
    within: npt.NDArray[np.intp] = np.clip(indices, occupied[0], occupied[-1])
    return within


def percentiles(histogram: Histogram, names: Iterable[str] = PERCENTILES) -> dict[str, float]:
    """Return the latency in ns below which each percentage of operations falls ("99.9" -> 180224).

    See `percentile_indices` for the rule.
    """
    ordered = sorted(names, key=float)
    indices = percentile_indices(histogram.counts, [float(name) for name in ordered])
    return {name: histogram.bins[index] for name, index in zip(ordered, indices, strict=True)}


def latency_of(histogram: Histogram) -> Latency:
    """Compute a latency from a distribution; mean and limits are computed from bin centres."""
    total = sum(histogram.counts)
    pairs = list(zip(histogram.bins, histogram.counts, strict=True))
    mean = sum(value * count for value, count in pairs) / total
    variance = sum(count * (value - mean) ** 2 for value, count in pairs) / total
    return Latency(
        min=histogram.bins[0],
        mean=mean,
        max=histogram.bins[-1],
        stddev=variance**0.5,
        percentiles=percentiles(histogram),
    )
