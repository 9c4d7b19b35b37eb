"""The Hodges-Lehmann ratio and its exact interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.tests.ratios import ratio
from tests.statistics.verdicts import NOISE, SimulatedPage, coverage

POSITIVE = st.floats(1e-3, 1e9)
SIDE = st.lists(POSITIVE, min_size=1, max_size=8)


def test_by_hand_two_against_two() -> None:
    # ratios 2, 4, 1, 2 in logs of 2: 0, 1, 1, 2; the median is 1
    found = ratio([1.0, 2.0], [2.0, 4.0])
    assert found.ratio == pytest.approx(2.0)
    assert (found.low, found.high) == (None, None)


def test_by_hand_six_against_six_leaves_five_out_at_each_end() -> None:
    a = [2.0**x for x in range(6)]
    b = [2.0 ** (x + 0.1) * 64 for x in range(6)]
    differences = sorted(math.log(y / x) for x in a for y in b)
    found = ratio(a, b)
    # P(U <= 5) = 0.0206 and P(U <= 6) = 0.0325 in every table of U for 6 and 6
    assert found.low == pytest.approx(math.exp(differences[5]))
    assert found.high == pytest.approx(math.exp(differences[-6]))
    assert found.excludes_one


def test_six_blocks_use_the_extremes() -> None:
    a, b = [1.0, 10.0, 100.0, 1000.0, 5.0, 7.0], [1.1, 12.0, 130.0, 1400.0, 7.5, 11.2]
    found = ratio(a, b, in_pairs=True)
    assert found.ratio is not None
    assert found.low == pytest.approx(1.1)
    assert found.high == pytest.approx(1.6)
    assert 1.1 < found.ratio < 1.6


def test_five_blocks_have_no_95_percent_interval() -> None:
    found = ratio([1.0] * 5, [2.0] * 5, in_pairs=True)
    assert found.ratio == pytest.approx(2.0)
    assert (found.low, found.high) == (None, None)
    assert not found.excludes_one


def test_one_against_one_gives_a_ratio_and_no_interval() -> None:
    found = ratio([4.0], [5.0])
    assert found.ratio == pytest.approx(1.25)
    assert (found.low, found.high) == (None, None)


def test_nothing_measured_gives_nothing() -> None:
    assert ratio([], [1.0]).ratio is None
    assert ratio([None], [math.nan]).ratio is None


def test_values_that_are_missing_do_not_count() -> None:
    full = ratio([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])
    assert ratio([1.0, None, 2.0, math.nan, 3.0], [2.0, 3.0, math.inf, 4.0]) == full


def test_zeros_on_one_side_have_no_finite_ratio_but_stay_evidence() -> None:
    rises = ratio([0.0] * 6, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert (rises.ratio, rises.low, rises.high) == (None, None, None)
    assert rises.excludes_one
    falls = ratio([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0] * 6)
    assert (falls.ratio, falls.high) == (0.0, 0.0)
    assert falls.excludes_one


def test_zeros_on_both_sides_are_equal() -> None:
    found = ratio([0.0] * 6, [0.0] * 6)
    assert (found.ratio, found.low, found.high) == (1.0, 1.0, 1.0)
    assert not found.excludes_one


def test_opposite_infinities_in_pairs_balance() -> None:
    found = ratio([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], in_pairs=True)
    assert found.ratio == pytest.approx(1.0)
    assert not found.excludes_one


@given(SIDE, SIDE)
def test_swapping_sides_gives_the_reciprocal(a: list[float], b: list[float]) -> None:
    forth, back = ratio(a, b), ratio(b, a)
    assert forth.ratio is not None
    assert back.ratio is not None
    assert forth.ratio * back.ratio == pytest.approx(1.0)
    if forth.low is not None and back.high is not None:
        assert forth.low * back.high == pytest.approx(1.0)


@given(SIDE, SIDE, st.sampled_from([2.0**-20, 0.5, 2.0, 1024.0]))
def test_the_unit_does_not_matter(a: list[float], b: list[float], unit: float) -> None:
    plain = ratio(a, b)
    scaled = ratio([x * unit for x in a], [x * unit for x in b])
    assert scaled.ratio == pytest.approx(plain.ratio)
    assert (scaled.low is None) == (plain.low is None)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("drift", [1.0, 1.2])
def test_intervals_with_verdicts_cover_the_truth(noise: str, drift: float) -> None:
    page = SimulatedPage(4, 1, 8, effect=1.05, noise=noise, drift=drift)
    assert coverage(page, 60).share >= 0.95


def test_intervals_of_large_samples_stay_close_to_the_exact_ones() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.lognormal(0, 0.1, 300).tolist(), rng.lognormal(0.1, 0.1, 300).tolist()
    found = ratio(a, b)
    assert found.low is not None
    assert found.high is not None
    # 1.96 * 0.1 * sqrt(2 / 300) * sqrt(pi / 3) on the log scale; a hull is wider.
    assert math.log(found.high / found.low) == pytest.approx(2 * 0.01638, rel=0.15)
