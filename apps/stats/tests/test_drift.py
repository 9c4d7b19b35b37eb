"""Trend over the order of measurement."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.drift import drift, order_check


def falls(values: tuple[float, ...]) -> int:
    """Pairs in which the later value is smaller."""
    return sum(x > y for x, y in combinations(values, 2))


@given(st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6))
def test_p_equals_listing_all_orders(values: list[float]) -> None:
    counts = [falls(order) for order in permutations(values)]
    observed = falls(tuple(values))
    tails = sum(c <= observed for c in counts), sum(c >= observed for c in counts)
    assert drift(values).p == pytest.approx(min(1.0, 2 * min(tails) / len(counts)))


def test_a_steady_rise_is_a_drift_of_its_whole_height() -> None:
    found = drift([100 * 1.01**i for i in range(12)])
    assert found.drifts
    assert found.tau == 1.0
    assert found.change == pytest.approx(1.01**11)


def test_a_steady_fall_has_the_opposite_sign() -> None:
    found = drift([100 * 0.99**i for i in range(12)])
    assert (found.tau, found.drifts) == (-1.0, True)


@pytest.mark.parametrize("values", [[], [5.0], [5.0] * 9])
def test_nothing_to_order_is_no_drift(values: list[float]) -> None:
    found = drift(values)
    assert (found.tau, found.p, found.drifts) == (0.0, 1.0, False)


def test_a_zero_leaves_the_change_without_a_figure() -> None:
    assert drift([0.0, 1.0, 2.0]).change is None


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


def test_one_side_before_the_other_is_separated() -> None:
    found = order_check([1.0, 1.1], [2.0, 2.1], [1, 2], [3, 4])
    assert found.separated
    assert found.b_later == 1.0


def test_interleaved_sides_are_not_separated_and_their_difference_is_no_drift() -> None:
    a, b = [10.0, 10.2, 10.1, 10.0], [20.0, 20.1, 20.3, 20.2]
    found = order_check(a, b, [1, 4, 5, 8], [2, 3, 6, 7])
    assert not found.separated
    assert found.b_later == 0.5
    assert not found.drift.drifts


def test_common_drift_shows_below_the_difference() -> None:
    a = [100 * 1.02**t for t in (0, 3, 4, 7)]
    b = [300 * 1.02**t for t in (1, 2, 5, 6)]
    found = order_check(a, b, [0, 3, 4, 7], [1, 2, 5, 6])
    assert found.drift.drifts


def test_an_empty_side_has_no_order() -> None:
    found = order_check([], [1.0], [], [1])
    assert (found.b_later, found.separated) == (None, False)
