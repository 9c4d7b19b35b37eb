"""The counted distributions equal listing every arrangement, ties and zeros included."""

from __future__ import annotations

import math
from bisect import bisect_left
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.analysis.compare.stats import floor_p, p_value_exact, too_few
from apps.analysis.compare.stats.batch import log_ratio
from apps.analysis.compare.stats.nulls import (
    DRAWS,
    doubled_ranks,
    few_ties,
    normal_will_do,
    rank_sum_monte_carlo,
    rank_sum_normal,
    rank_sum_null,
    signed_rank_normal,
    signed_rank_null,
)

SMALL = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=5)


def listed_rank_sum(a: list[float], b: list[float]) -> float:
    """Two-sided p by listing all divisions of the pooled values."""
    ranks = doubled_ranks(b + a)
    observed = sum(ranks[: len(b)])
    sums = [sum(chosen) for chosen in combinations(ranks, len(b))]
    tails = sum(s <= observed for s in sums), sum(s >= observed for s in sums)
    return min(1.0, 2 * min(tails) / len(sums))


def listed_signed_rank(pairs: list[tuple[float, float]]) -> float:
    """Two-sided p by listing all signs of the log ratios."""
    moved = [log_ratio(a, b) for a, b in pairs if a != b]
    ranks = doubled_ranks([abs(x) for x in moved])
    observed = sum(r for r, x in zip(ranks, moved, strict=True) if x > 0)
    sums = [
        sum(r for r, up in zip(ranks, s, strict=True) if up)
        for s in product((0, 1), repeat=len(ranks))
    ]
    tails = sum(s <= observed for s in sums), sum(s >= observed for s in sums)
    return min(1.0, 2 * min(tails) / len(sums))


@given(SMALL, SMALL)
def test_rank_sum_equals_listing_all_divisions(a: list[float], b: list[float]) -> None:
    assert p_value_exact(a, b).p == pytest.approx(listed_rank_sum(a, b))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=7))
def test_signed_rank_equals_listing_all_signs(drawn: list[tuple[int, int]]) -> None:
    pairs = [(float(a), float(b)) for a, b in drawn]
    labels = list(range(len(pairs)))
    found = p_value_exact([a for a, _ in pairs], [b for _, b in pairs], (labels, labels))
    assert found.test == "signed-rank"
    assert found.p == pytest.approx(listed_signed_rank(pairs))


@pytest.mark.parametrize(("n", "p"), [(3, 0.1), (4, 2 / 70), (5, 2 / 252), (6, 2 / 924)])
def test_smallest_p_of_two_separated_sides(n: int, p: float) -> None:
    found = p_value_exact([float(x) for x in range(n)], [float(x + 100) for x in range(n)])
    assert found.p == pytest.approx(p)
    assert found.exact


def test_six_agreeing_blocks_give_two_in_sixty_four() -> None:
    labels = list("uvwxyz")
    found = p_value_exact([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7], (labels, labels))
    assert found.p == pytest.approx(2 / 64)


def test_same_values_everywhere_are_no_evidence() -> None:
    assert p_value_exact([5.0] * 6, [5.0] * 6).p == 1.0
    assert p_value_exact([0.0] * 6, [0.0] * 6).p == 1.0


def test_sides_without_a_value_are_no_evidence() -> None:
    assert p_value_exact([], [1.0]).p == 1.0
    assert p_value_exact([None, math.nan], [1.0]).p == 1.0


def test_incomplete_blocks_fall_back_to_the_rank_sum() -> None:
    a, b = [1.0, 2.0, None], [3.0, 4.0, 5.0]
    found = p_value_exact(a, b, ([0, 1, 2], [0, 1, 2]))
    assert found.test == "rank-sum"
    assert p_value_exact([1.0, 2.0], [3.0, 4.0], ([0, 1], [0, 2])).test == "rank-sum"
    assert p_value_exact([1.0, 2.0], [3.0, 4.0], ([0, 0], [0, 0])).test == "rank-sum"


def test_block_order_does_not_matter() -> None:
    a, b = [1.0, 2.0, 3.0, 4.0, 5.0, 7.0], [6.0, 5.0, 4.0, 2.0, 3.0, 9.0]
    straight = p_value_exact(a, b, (list("abcdef"), list("abcdef")))
    turned = p_value_exact(a, b[::-1], (list("abcdef"), list("fedcba")))
    assert straight == turned


def test_labels_must_match_the_values() -> None:
    with pytest.raises(ValueError, match="one block label"):
        p_value_exact([1.0], [2.0], ([1, 2], [1]))


def test_negative_values_are_refused() -> None:
    with pytest.raises(ValueError, match="zero or more"):
        p_value_exact([-1.0], [2.0])


def test_many_values_on_both_sides_take_the_normal_distribution_and_say_so() -> None:
    a, b = [float(x) for x in range(50)], [float(x) + 11.5 for x in range(50)]
    found = p_value_exact(a, b)
    assert not found.exact
    from scipy.stats import mannwhitneyu

    assert found.p == pytest.approx(mannwhitneyu(a, b).pvalue, rel=1e-9)


@pytest.mark.parametrize(("n_a", "n_b", "distinct"), [(40, 40, 80), (20, 60, 80), (20, 60, 10)])
def test_the_normal_distribution_never_calls_more_different_than_counting(
    n_a: int, n_b: int, distinct: int
) -> None:
    doubled = doubled_ranks([float(x % distinct) for x in range(n_a + n_b)])
    assert normal_will_do(doubled, n_b)
    null = rank_sum_null(tuple(sorted(doubled)), n_b)
    for tail in (0.025, 0.005, 0.0005, 5e-6):
        observed = bisect_left(null.lower, tail)
        ratio = rank_sum_normal(doubled, n_b, observed) / null.two_sided(observed)
        assert ratio > 0.98, tail


def test_one_value_that_most_repeats_have_is_sampled_instead() -> None:
    doubled = doubled_ranks([0.0] * 74 + [1.0] * 6)
    assert not normal_will_do(doubled, 60)
    null = rank_sum_null(tuple(sorted(doubled)), 60)
    observed = bisect_left(null.lower, 0.03)
    sampled = rank_sum_monte_carlo(doubled, 60, observed)
    assert sampled == pytest.approx(null.two_sided(observed), abs=0.01)


def test_few_against_many_are_counted() -> None:
    a, b = [float(x) for x in range(5)], [float(x) + 1.5 for x in range(95)]
    found = p_value_exact(a, b)
    assert found.exact
    from scipy.stats import mannwhitneyu

    assert found.p == pytest.approx(mannwhitneyu(a, b, method="exact").pvalue)
    assert p_value_exact(b, a) == found


def test_many_of_which_most_are_equal_are_sampled_with_a_fixed_seed() -> None:
    a, b = [5.0] * 190 + [6.0] * 10, [5.0] * 180 + [6.0] * 20
    first, second = p_value_exact(a, b), p_value_exact(a, b)
    assert first == second
    assert not first.exact
    from scipy.stats import hypergeom

    assert first.p == pytest.approx(2 * hypergeom(400, 30, 200).sf(19), abs=0.01)


def test_sampled_p_is_never_zero() -> None:
    labels = list(range(121))
    a = [100.0] * 121
    many = p_value_exact(a, [200.0] * 121, (labels, labels))
    assert not many.exact
    assert many.p == pytest.approx(2 / (1 + DRAWS))


@pytest.mark.parametrize("equal", [1, 5, 24])
def test_many_blocks_take_the_normal_distribution_which_calls_no_more_different(equal: int) -> None:
    doubled = doubled_ranks([float(x // equal) for x in range(120)])
    assert few_ties(doubled)
    null = signed_rank_null(tuple(sorted(doubled)))
    for tail in (0.025, 0.005, 0.0005, 5e-6):
        observed = int(np.searchsorted(null.lower, tail))
        ratio = signed_rank_normal(doubled, observed) / null.two_sided(observed)
        assert ratio > 0.98, tail


def test_thousands_of_repeats_a_side_have_an_answer() -> None:
    a = [float(x) for x in range(3_000)]
    found = p_value_exact(a, [x + 0.5 for x in a])
    assert found.p > 0.9
    assert floor_p(3_000, 3_000) == 0.0
    assert not too_few(3_000, 3_000).too_few
