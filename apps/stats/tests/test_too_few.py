"""Reach of numbers of repeats, and the comparisons that form a family."""

from __future__ import annotations

import pytest

from apps.stats.multiplicity import min_p, reachable, too_few_repeats


def test_three_repeats_never_suffice_and_six_are_recommended() -> None:
    reach = too_few_repeats(3, 3)
    assert reach.too_few
    assert reach.floor == pytest.approx(0.1)
    assert (reach.minimum, reach.needed) == (4, 6)


@pytest.mark.parametrize(
    ("n_a", "n_b", "few"), [(4, 4, False), (3, 5, False), (2, 7, True), (2, 8, False)]
)
def test_uneven_sides_are_judged_by_what_they_allow(n_a: int, n_b: int, few: bool) -> None:
    assert too_few_repeats(n_a, n_b).too_few is few


def test_a_single_repeat_is_never_enough() -> None:
    assert too_few_repeats(1, 500).too_few
    assert min_p(1, 500) == 1.0


def test_six_blocks_can_tell_and_five_cannot() -> None:
    assert not too_few_repeats(6, 6, paired=True).too_few
    assert too_few_repeats(5, 5, paired=True).too_few
    assert too_few_repeats(5, 5, paired=True).minimum == 6


@pytest.mark.parametrize(
    ("cells", "needed"), [(1, 6), (23, 6), (24, 7), (85, 7), (86, 8), (3000, 10)]
)
def test_more_comparisons_need_more_repeats(cells: int, needed: int) -> None:
    assert too_few_repeats(6, 6, cells=cells).needed == needed


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
