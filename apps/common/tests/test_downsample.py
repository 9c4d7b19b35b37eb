"""Fewer points for a chart, spikes and gaps kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.domain.charts.downsample import downsample


def test_short_traces_are_left_alone() -> None:
    found = downsample([0, 1, 2], [5, None, 7], most=3)
    assert found.complete
    assert (found.shown, found.total) == (3, 3)
    assert np.isnan(found.y[1])


def test_a_single_stall_survives() -> None:
    y = np.full(100_000, 500.0)
    y[54_321] = 0.0
    found = downsample(np.arange(100_000), y, most=200)
    assert found.shown <= 200
    assert found.total == 100_000
    assert 0.0 in found.y
    assert found.x[found.y == 0.0].tolist() == [54_321.0]


def test_a_gap_stays_a_gap() -> None:
    y = np.sin(np.arange(10_000) / 50)
    y[4_000:6_000] = np.nan
    found = downsample(np.arange(10_000), y, most=500)
    assert found.shown <= 500
    gap = found.x[np.isnan(found.y)]
    assert len(gap)
    assert ((gap >= 4_000) & (gap < 6_000)).all()


def test_nothing_but_gaps() -> None:
    found = downsample(np.arange(5_000), np.full(5_000, np.nan), most=100)
    assert (found.shown, found.total) == (2, 5_000)


def test_lengths_must_match() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        downsample([1, 2], [1])


@given(
    st.lists(st.one_of(st.floats(-1e6, 1e6), st.just(float("nan"))), max_size=400),
    st.integers(10, 100),
)
def test_points_are_real_ones_in_order_and_few(values: list[float], most: int) -> None:
    found = downsample(np.arange(len(values)), values, most=most)
    assert len(found.x) == found.shown <= max(most, 2)
    assert (np.diff(found.x) > 0).all()
    for x, y in zip(found.x, found.y, strict=True):
        assert y == values[int(x)] or np.isnan(values[int(x)])
