"""Histograms over time: whole bins of fio in coarse buckets, joined where there are many."""

from __future__ import annotations

import numpy as np

from apps.tools.histogram import LAST_INDEX, bin_index, bin_top, bin_value
from apps.tools.parse_result import HistogramSeries
from apps.tools.series.histograms import (
    MAX_INTERVALS,
    added,
    coarse,
    histogram_series,
    lower_edges,
    moved,
    upper_edges,
)

GRID = np.array([bin_value(index) for index in range(LAST_INDEX + 1)], np.int64)


def counted(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    values, counts = zip(*pairs, strict=True)
    return coarse(np.array(values, np.int64), np.array(counts, np.int64))


def test_a_bucket_is_a_whole_number_of_fios_bins() -> None:
    lows = lower_edges(GRID)
    highs = upper_edges(lows)
    assert (lows <= GRID).all()
    assert all(bin_top(int(value)) < high for value, high in zip(GRID, highs, strict=True))
    assert all(bin_index(int(low)) <= bin_index(int(v)) for low, v in zip(lows, GRID, strict=True))
    wide = lows >= 8
    assert ((highs - lows)[wide] / lows[wide]).max() <= 0.125


def test_no_operation_is_lost_or_split() -> None:
    lows, counts = coarse(GRID, np.arange(GRID.size))
    assert int(counts.sum()) == int(np.arange(GRID.size).sum())
    assert (np.diff(lows) > 0).all()


def test_intervals_stand_at_their_places_and_gaps_are_empty() -> None:
    found = histogram_series([2, 4], [counted((1000, 5)), counted((1000, 1), (9000, 2))], 0.5)
    assert found is not None
    assert (found.start, found.interval) == (1.0, 0.5)
    assert found.lows == (960, 8192)
    assert found.counts == ((5, 0), (0, 0), (1, 2))


def test_too_few_intervals_are_no_series() -> None:
    assert histogram_series([0], [counted((1000, 5))], 1.0) is None
    assert histogram_series([], [], 1.0) is None


def test_many_intervals_are_joined_and_keep_their_operations() -> None:
    number = 2 * MAX_INTERVALS + 1
    found = histogram_series(range(number), [counted((1000, 1))] * number, 1.0)
    assert found is not None
    assert len(found.counts) <= MAX_INTERVALS
    assert found.interval == 3.0
    assert sum(sum(row) for row in found.counts) == number


def test_hosts_are_added_where_their_intervals_lie() -> None:
    one = HistogramSeries((960,), ((1,), (2,), (3,)))
    late = moved(HistogramSeries((960, 8192), ((4, 0), (0, 5))), 1.1)
    both = added([one, late])
    assert both is not None
    assert both.lows == (960, 8192)
    assert both.counts == ((1, 0), (6, 0), (3, 5))
    assert added([one, None]) is None
