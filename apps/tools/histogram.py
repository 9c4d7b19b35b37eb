"""Latency distributions on fio's log-linear bins, and the only right way to merge percentiles: add
the counts.

The bins are those of fio's stat.h (FIO_IO_U_PLAT_BITS 6): 64 linear steps in every octave, so a
value is off by at most 1.6 %. A bin is named by its middle in nanoseconds, as fio's JSON+ does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .metrics import with_percentiles
from .parse_result import Histogram, Latency

_BITS = 6
_STEPS = 1 << _BITS
_GROUPS = 29
LAST_INDEX = _STEPS * _GROUPS - 1
PERCENTILES = with_percentiles(
    *("1", "5", "10", "20", "30", "40", "60", "70", "80", "90", "99.5", "99.95")
)
"""Percentiles taken from a distribution, and asked of tools that can be asked."""


def bin_index(ns: int) -> int:
    """The bin that holds a latency (fio: plat_val_to_idx); the last one holds everything above."""
    top_bit = max(ns, 1).bit_length() - 1
    if top_bit <= _BITS:
        return max(ns, 0)
    error_bits = top_bit - _BITS
    offset = (_STEPS - 1) & (ns >> error_bits)
    return min(((error_bits + 1) << _BITS) + offset, LAST_INDEX)


def bin_value(index: int) -> int:
    """The value a bin is named by: its middle, in nanoseconds (fio: plat_idx_to_val)."""
    if index < _STEPS << 1:
        return index
    error_bits = (index >> _BITS) - 1
    base = 1 << (error_bits + _BITS)
    step = index % _STEPS
    # fio adds half a step as a double and cuts the result off; steps are even here, so this is
    # exact.
    return base + (step << error_bits) + (1 << (error_bits - 1))


def bin_top(value: int) -> int:
    """The longest latency, in nanoseconds, that falls into the bin named by a value."""
    index = bin_index(value)
    if index < _STEPS << 1:
        return index
    error_bits = (index >> _BITS) - 1
    return (1 << (error_bits + _BITS)) + ((index % _STEPS + 1) << error_bits) - 1


def from_counts(counts: Mapping[int, int]) -> Histogram | None:
    """A histogram from bin value (ns) -> count; None when nothing was counted."""
    present = sorted((value, count) for value, count in counts.items() if count > 0)
    if not present:
        return None
    bins, numbers = zip(*present, strict=True)
    return Histogram(bins=bins, counts=numbers)


def merge(histograms: Iterable[Histogram | None]) -> Histogram | None:
    """The distribution of all operations of several jobs, hosts or repeats together; None if any is
    unknown.
    """
    counts: dict[int, int] = {}
    for histogram in histograms:
        if histogram is None:
            return None
        for value, count in zip(histogram.bins, histogram.counts, strict=True):
            counts[value] = counts.get(value, 0) + count
    return from_counts(counts)


def percentiles(histogram: Histogram, wanted: Iterable[str] = PERCENTILES) -> dict[str, float]:
    """Latency in ns below which each wanted percentage of operations falls ("99.9" -> 180224).

    fio's own rule (stat.c, calc_clat_percentiles): the first bin at which the running count reaches
    `percentage / 100 * total`.
    """
    total = sum(histogram.counts)
    result: dict[str, float] = {}
    running, position = 0, -1
    for name in sorted(wanted, key=float):
        goal = float(name) / 100.0 * total
        while position < len(histogram.counts) - 1 and (running < goal or position < 0):
            position += 1
            running += histogram.counts[position]
        result[name] = histogram.bins[position]
    return result


def latency_of(histogram: Histogram) -> Latency:
    """The latency that a distribution alone can tell; mean and limits are those of the bins'
    middles.
    """
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
