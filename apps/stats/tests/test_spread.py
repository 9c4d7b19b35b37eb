"""Figures of one side's repeats."""

from __future__ import annotations

import math

import pytest

from apps.stats.spread import Spread, spread


def test_by_hand() -> None:
    found = spread([4.0, 1.0, 3.0, 2.0, 10.0, None, math.nan])
    assert (found.n, found.median, found.min, found.max, found.mean) == (5, 3.0, 1.0, 10.0, 4.0)
    assert found.cv == pytest.approx(math.sqrt(12.5) / 4)


def test_nothing_and_one_value() -> None:
    assert spread([]) == Spread(0)
    one = spread([7.0])
    assert (one.n, one.median, one.cv, one.low) == (1, 7.0, None, None)


def test_zeros_have_no_relative_spread() -> None:
    assert spread([0.0, 0.0]).cv is None


@pytest.mark.parametrize(("n", "left_out"), [(5, 0), (6, 1), (8, 1), (9, 2), (12, 3), (20, 6)])
def test_interval_of_the_median_follows_the_sign_test(n: int, left_out: int) -> None:
    values = [float(x) for x in range(n)]
    found = spread(values)
    expected = (values[left_out - 1], values[n - left_out]) if left_out else (None, None)
    assert (found.low, found.high) == expected
