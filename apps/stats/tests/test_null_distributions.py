"""The counted distributions equal listing every arrangement, and what scipy counts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, wilcoxon

from apps.stats.designs import Design, design_of
from apps.stats.null_distributions import (
    block_shares,
    exact_null,
    rank_sum_normal,
    signed_rank_null,
    u_shares,
)


def turned_round(order: tuple[int, ...], n: int) -> int:
    """Number of pairs in which a chosen place stands before one that was not chosen."""
    return sum(place < other for place in order for other in set(range(n)) - set(order))


@pytest.mark.parametrize(("n_a", "n_b"), [(1, 1), (2, 3), (3, 3), (4, 2), (1, 6)])
def test_one_block_equals_listing_all_its_orders(n_a: int, n_b: int) -> None:
    listed = Counter(
        turned_round(order, n_a + n_b) for order in combinations(range(n_a + n_b), n_b)
    )
    total = listed.total()
    expected = [listed[u] / total for u in range(n_a * n_b + 1)]
    assert u_shares(n_a, n_b).tolist() == pytest.approx(expected)


def test_blocks_equal_listing_all_orders_inside_them() -> None:
    four, three = combinations(range(4), 2), combinations(range(3), 1)
    listed = Counter(
        turned_round(first, 4) + turned_round(second, 3) for first, second in product(four, three)
    )
    expected = [listed[u] / 18 for u in range(7)]
    assert block_shares(((2, 2), (2, 1))).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(("n_a", "n_b"), [(6, 6), (5, 12), (20, 9)])
def test_p_of_two_sides_is_scipys(n_a: int, n_b: int) -> None:
    rng = np.random.default_rng(1)
    for _number in range(20):
        a, b = rng.normal(size=n_a), rng.normal(0.7, size=n_b)
        against = int(min((b[:, None] <= a).sum(), (b[:, None] >= a).sum()))
        found = exact_null(u_shares(n_a, n_b)).two_sided(np.array([against]))
        assert found[0] == pytest.approx(mannwhitneyu(a, b, method="exact").pvalue)


def test_p_of_blocks_of_one_is_scipys() -> None:
    rng = np.random.default_rng(2)
    for _number in range(20):
        ratios = rng.normal(0.3, size=10)
        first, second = np.triu_indices(10)
        averages = ratios[first] + ratios[second]
        against = np.array([min((averages <= 0).sum(), (averages >= 0).sum())])
        found = signed_rank_null(10).two_sided(against)
        assert found[0] == pytest.approx(wilcoxon(ratios, method="exact").pvalue)


@pytest.mark.parametrize(("n", "p"), [(3, 0.1), (4, 2 / 70), (5, 2 / 252), (6, 2 / 924)])
def test_smallest_p_of_two_separated_sides(n: int, p: float) -> None:
    assert Design("all", ((n, n),), ()).floor == pytest.approx(p)


@pytest.mark.parametrize(("n_a", "n_b"), [(40, 40), (20, 60)])
def test_the_normal_distribution_never_calls_more_different_than_counting(
    n_a: int, n_b: int
) -> None:
    exact, normal = exact_null(u_shares(n_a, n_b)), rank_sum_normal(n_a, n_b)
    for level in (0.05, 0.01, 0.001, 1e-5):
        assert normal.critical(level) <= exact.critical(level)
        against = np.array([exact.critical(level) - 1])
        assert normal.two_sided(against)[0] > 0.98 * exact.two_sided(against)[0]


@pytest.mark.parametrize("level", [0.05, 0.01, 0.0021, 1e-4])
def test_as_many_are_left_out_as_may_be_against(level: float) -> None:
    null = Design("blocks", ((4, 4), (3, 3)), ()).null
    left_out = null.critical(level)
    p = null.two_sided(np.arange(26))
    assert (p[:left_out] <= level).all()
    assert p[left_out] > level


LOOK = ((3, 1.0),)


def test_blocks_are_taken_wherever_they_can_say_anything() -> None:
    shape = ((3, 3),) * 3
    assert design_of(shape, (9, 9), LOOK, 24).test == "blocks"
    assert design_of(shape[:2], (6, 6), ((2, 1.0),), 24).test == "all"
    assert design_of((), (9, 9), (), 1).test == "all"


def test_blocks_of_one_are_paired_where_there_are_enough() -> None:
    eight, six = ((1, 1),) * 8, ((1, 1),) * 6
    assert design_of(eight, (8, 8), ((8, 1.0),), 1).test == "pairs"
    assert design_of(six, (6, 6), ((6, 1.0),), 1).test == "all"
    # A ninth repeat of one side stands in a block without the other.
    assert design_of(eight, (9, 8), ((8, 1.0),), 1).test == "all"
