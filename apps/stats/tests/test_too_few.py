"""Reach of numbers of repeats, and the comparisons that form a family."""

from __future__ import annotations

import pytest

from apps.stats.multiplicity import (
    ALPHA,
    is_reachable,
    min_p,
    reachable,
    repeats_recommended,
)


@pytest.mark.parametrize(
    ("n_a", "n_b", "reaches"),
    [(3, 3, False), (4, 4, True), (3, 5, True), (2, 7, False), (2, 8, True), (1, 500, False)],
)
def test_min_p_of_both_numbers_reaches_the_level_from_four_against_four(
    n_a: int, n_b: int, reaches: bool
) -> None:
    assert is_reachable(min_p(n_a, n_b), ALPHA, 1) is reaches


def test_min_p_by_hand() -> None:
    assert min_p(3, 3) == pytest.approx(0.1)
    assert min_p(1, 500) == 1.0


@pytest.mark.parametrize(
    ("cells", "needed"), [(1, 6), (23, 6), (24, 7), (85, 7), (86, 8), (3000, 10)]
)
def test_more_comparisons_need_more_repeats(cells: int, needed: int) -> None:
    assert repeats_recommended(cells=cells) == needed


def test_comparisons_that_never_could_do_not_cost_the_others() -> None:
    floors = [min_p(6, 6)] + [min_p(3, 3)] * 30
    assert reachable(floors) == [True] + [False] * 30


def test_a_family_too_large_for_its_repeats_is_left_untested() -> None:
    assert reachable([min_p(6, 6)] * 23) == [True] * 23
    assert reachable([min_p(6, 6)] * 24) == [False] * 24


def test_a_mixed_family_keeps_those_with_enough_repeats() -> None:
    floors = [min_p(6, 6)] * 30 + [min_p(8, 8)] * 5
    assert reachable(floors) == [False] * 30 + [True] * 5


def test_no_comparisons_are_no_family() -> None:
    assert reachable([]) == []
