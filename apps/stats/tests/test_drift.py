"""Trend over the order of measurement."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.drift import drift, drift_of_sides


def falls(values: tuple[float, ...]) -> int:
    """Pairs in which the later value is smaller."""
    return sum(x > y for x, y in combinations(values, 2))


@given(st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6))
def test_p_equals_listing_all_orders(values: list[float]) -> None:
    counts = [falls(order) for order in permutations(values)]
    observed = falls(tuple(values))
    tails = sum(c <= observed for c in counts), sum(c >= observed for c in counts)
    assert drift(values).p == pytest.approx(min(1.0, 2 * min(tails) / len(counts)))


def test_drift_of_a_steady_rise_is_positive() -> None:
    found = drift([100 * 1.01**i for i in range(12)])
    assert found.drifts
    assert found.tau == 1.0


def test_a_steady_fall_has_the_opposite_sign() -> None:
    found = drift([100 * 0.99**i for i in range(12)])
    assert (found.tau, found.drifts) == (-1.0, True)


@pytest.mark.parametrize("values", [[], [5.0], [5.0] * 9])
def test_nothing_to_order_is_no_drift(values: list[float]) -> None:
    found = drift(values)
    assert (found.tau, found.p, found.drifts) == (0.0, 1.0, False)


def test_many_values_use_the_approximation_and_say_so() -> None:
    rng = np.random.default_rng(3)
    flat, rising = rng.normal(100, 1, 200), np.arange(1.0, 201.0)
    assert not drift(flat.tolist()).exact
    assert not drift(flat.tolist()).drifts
    assert drift(rising.tolist()).drifts


def test_drift_of_equal_conditions_has_a_false_positive_rate_below_alpha() -> None:
    rng = np.random.default_rng(11)
    alarms = [drift(rng.normal(100, 1, 12).tolist()).drifts for _ in range(600)]
    assert sum(alarms) / len(alarms) <= 0.06


def test_drift_of_interleaved_sides_ignores_their_difference() -> None:
    a, b = [10.0, 10.2, 10.1, 10.0], [20.0, 20.1, 20.3, 20.2]
    assert not drift_of_sides(a, b, [1, 4, 5, 8], [2, 3, 6, 7]).drifts


def test_common_drift_shows_below_the_difference() -> None:
    a = [100 * 1.02**t for t in (0, 3, 4, 7)]
    b = [300 * 1.02**t for t in (1, 2, 5, 6)]
    assert drift_of_sides(a, b, [0, 3, 4, 7], [1, 2, 5, 6]).drifts


def test_drift_with_an_empty_side_is_none() -> None:
    assert not drift_of_sides([], [1.0], [], [1]).drifts
