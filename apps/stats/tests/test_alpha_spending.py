"""Looking again as blocks are added."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from apps.stats.alpha_spending import interim_null
from apps.stats.designs import Design
from apps.stats.null_distributions import block_shares, exact_null
from tests.statistics.verdicts import Extended, SimulatedPage, wrong_at_any_look


def test_one_look_is_the_plain_test_rounded_up() -> None:
    shape = ((3, 3), (3, 3))
    plain, looked = exact_null(block_shares(shape)).p, interim_null(shape, ((2, 1.0),)).p
    assert (looked >= plain).all()
    assert looked[:6] == pytest.approx(plain[:6], rel=0.06)


def test_all_looks_together_cross_no_more_often_than_permitted() -> None:
    """Listed: 6^4 orders of four blocks of two against two, a look after each."""
    counts = [sum(p < q for p in chosen for q in {0, 1, 2, 3} - set(chosen))
              for chosen in combinations(range(4), 2)]  # fmt: skip
    looks = tuple((number, number / 4) for number in range(1, 5))
    level = 0.12
    borders = [
        Design("blocks", ((2, 2),) * number, looks[:number]).null.critical(level)
        for number in range(1, 5)
    ]
    assert borders[1] > 0  # it can end before the last look
    crossed = 0
    for blocks in product(counts, repeat=4):
        walk = np.cumsum(blocks)
        low = any(total < border for total, border in zip(walk, borders, strict=True))
        against = np.arange(1, 5) * 4 - walk
        high = any(total < border for total, border in zip(against, borders, strict=True))
        crossed += low or high
    assert 0.05 < crossed / 6**4 <= level


def test_a_second_look_spends_only_what_the_first_left() -> None:
    shape = ((4, 4),) * 4
    twice = Design("blocks", shape, ((2, 0.8), (4, 0.9))).null.critical(0.05)
    once = Design("blocks", shape, ((4, 1.0),)).null.critical(0.05)
    nothing_left = Design("blocks", shape, ((2, 1.0), (4, 1.0))).null.critical(0.05)
    assert nothing_left < twice < once


@pytest.mark.parametrize("workloads", [1, 4])
def test_adding_repeats_three_times_has_a_false_positive_rate_below_alpha(
    workloads: int,
) -> None:
    page = SimulatedPage(workloads, 2, 6, drift=1.2)
    assert wrong_at_any_look(Extended(page), 150, seed=6).share <= 0.05 + 0.018
