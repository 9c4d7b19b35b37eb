"""Latency histograms of consecutive intervals, in coarse buckets: enough to see when it was slow.

Buckets are fio's own octaves with 8 steps each (fio has 64), so each is a whole number of fio's
bins and no count is split. Intervals are joined until there are no more than a chart is wide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apps.tools.base import HistogramSeries

BITS = 3
"""2**BITS buckets an octave: each is 9 to 12 % wide."""
MOST = 1_000
"""Intervals that are kept."""
Integers = NDArray[np.int64]
Counted = tuple[Integers, Integers]
"""Values in ns and how many operations there were of each."""


def lower_edges(values: Integers) -> Integers:
    """The lower edge in ns of the bucket that holds each value (below 2**53 ns)."""
    octave = np.frexp(np.maximum(values, 1).astype(np.float64))[1].astype(np.int64) - 1
    shift = np.maximum(octave - BITS, 0)
    return (values >> shift) << shift


def upper_edges(lows: Integers) -> Integers:
    """The upper edge in ns, outside, of the buckets with these lower ones."""
    octave = np.frexp(np.maximum(lows, 1).astype(np.float64))[1].astype(np.int64) - 1
    return lows + (np.int64(1) << np.maximum(octave - BITS, 0))


def coarse(values: Integers, counts: Integers) -> Counted:
    """Counts by the buckets' lower edges, without the empty ones."""
    there = counts > 0
    lows, places = np.unique(lower_edges(values[there]), return_inverse=True)
    sums = np.zeros(lows.size, np.int64)
    np.add.at(sums, places, counts[there])
    return lows, sums


def histogram_series(
    slots: Sequence[int], counted: Sequence[Counted], step: float
) -> HistogramSeries | None:
    """Histograms by their place on a grid of `step` seconds that starts with the tool; None where
    fewer than two of them counted something.
    """
    pairs = [(slot, each) for slot, each in zip(slots, counted, strict=True) if each[0].size]
    if len(pairs) < 2 or step <= 0:
        return None
    first, last = pairs[0][0], pairs[-1][0]
    joined = -(-(last - first + 1) // MOST)
    lows = np.unique(np.concatenate([each[0] for _slot, each in pairs]))
    counts = np.zeros(((last - first) // joined + 1, lows.size), np.int64)
    for slot, (own, numbers) in pairs:
        counts[(slot - first) // joined, np.searchsorted(lows, own)] += numbers
    return _told(first * step, joined * step, lows, counts)


def moved(found: HistogramSeries | None, seconds: float) -> HistogramSeries | None:
    """The same on an axis that began `seconds` earlier."""
    if found is None:
        return None
    return HistogramSeries(found.lows, found.counts, found.start + seconds, found.interval)


def added(each: Sequence[HistogramSeries | None]) -> HistogramSeries | None:
    """The sum of several hosts' histograms, each interval counted where its middle lies; None if
    one host has none.
    """
    known = [one for one in each if one is not None]
    if not known or len(known) < len(each):
        return None
    interval = max(one.interval for one in known)
    begin = min(one.start for one in known)
    slots: list[int] = []
    counted: list[Counted] = []
    for one in known:
        lows = np.array(one.lows, np.int64)
        for number, counts in enumerate(one.counts):
            middle = one.start + (number + 0.5) * one.interval - begin
            slots.append(int(middle / interval))
            counted.append((lows, np.array(counts, np.int64)))
    order = sorted(range(len(slots)), key=slots.__getitem__)
    total = histogram_series([slots[i] for i in order], [counted[i] for i in order], interval)
    return moved(total, begin)


def _told(start: float, interval: float, lows: Integers, counts: Integers) -> HistogramSeries:
    rows = tuple(tuple(row) for row in counts.tolist())
    return HistogramSeries(tuple(lows.tolist()), rows, start, interval)
