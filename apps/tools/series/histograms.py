"""Latency histograms of consecutive intervals in coarse buckets.

The buckets are fio's octaves with 8 steps each (fio uses 64). Each bucket is a whole number of
fio's bins, so no count is split. Intervals are joined until their number fits the width of a chart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apps.tools.parse_result import HistogramSeries

BITS = 3
"""An octave has 2**BITS buckets; each is 9 to 12 % wide."""
MAX_INTERVALS = 1_000
"""Maximum number of intervals of a series."""
Integers = NDArray[np.int64]
Counted = tuple[Integers, Integers]
"""Values in ns and the number of operations of each value."""


def lower_edges(values: Integers) -> Integers:
    """Return the lower edge in ns of the bucket of each value (values below 2**53 ns)."""
    octave = np.frexp(np.maximum(values, 1).astype(np.float64))[1].astype(np.int64) - 1
    shift = np.maximum(octave - BITS, 0)
    return (values >> shift) << shift


def upper_edges(lows: Integers) -> Integers:
    """Return the exclusive upper edges in ns of the buckets with these lower edges."""
    octave = np.frexp(np.maximum(lows, 1).astype(np.float64))[1].astype(np.int64) - 1
    return lows + (np.int64(1) << np.maximum(octave - BITS, 0))


def coarse(values: Integers, counts: Integers) -> Counted:
    """Return the counts by the buckets' lower edges, without empty buckets."""
    nonempty = counts > 0
    lows, indices = np.unique(lower_edges(values[nonempty]), return_inverse=True)
    sums = np.zeros(lows.size, np.int64)
    np.add.at(sums, indices, counts[nonempty])
    return lows, sums


def histogram_series(
    slots: Sequence[int], counted: Sequence[Counted], step: float
) -> HistogramSeries | None:
    """Return histograms on a grid of `step` seconds that starts with the tool.

    `slots`: index of each histogram on the grid. Return None if fewer than two histograms have
    counts.
    """
    pairs = [(slot, each) for slot, each in zip(slots, counted, strict=True) if each[0].size]
    if len(pairs) < 2 or step <= 0:
        return None
    first, last = pairs[0][0], pairs[-1][0]
    group_size = -(-(last - first + 1) // MAX_INTERVALS)
    lows = np.unique(np.concatenate([each[0] for _slot, each in pairs]))
    counts = np.zeros(((last - first) // group_size + 1, lows.size), np.int64)
    for slot, (edges, numbers) in pairs:
        counts[(slot - first) // group_size, np.searchsorted(lows, edges)] += numbers
    return _from_arrays(first * step, group_size * step, lows, counts)


def moved(histograms: HistogramSeries | None, seconds: float) -> HistogramSeries | None:
    """Return the same histograms on an axis that began `seconds` earlier."""
    if histograms is None:
        return None
    return HistogramSeries(
        histograms.lows, histograms.counts, histograms.start + seconds, histograms.interval
    )


def added(each: Sequence[HistogramSeries | None]) -> HistogramSeries | None:
    """Return the sum of several hosts' histograms; None if one host has none.

    Each interval is added to the interval that contains its centre.
    """
    present = [one for one in each if one is not None]
    if not present or len(present) < len(each):
        return None
    interval = max(one.interval for one in present)
    begin = min(one.start for one in present)
    slots: list[int] = []
    counted: list[Counted] = []
    for one in present:
        lows = np.array(one.lows, np.int64)
        for number, counts in enumerate(one.counts):
            centre = one.start + (number + 0.5) * one.interval - begin
            slots.append(int(centre / interval))
            counted.append((lows, np.array(counts, np.int64)))
    order = sorted(range(len(slots)), key=slots.__getitem__)
    total = histogram_series([slots[i] for i in order], [counted[i] for i in order], interval)
    return moved(total, begin)


def _from_arrays(
    start: float, interval: float, lows: Integers, counts: Integers
) -> HistogramSeries:
    rows = tuple(tuple(row) for row in counts.tolist())
    return HistogramSeries(tuple(lows.tolist()), rows, start, interval)
