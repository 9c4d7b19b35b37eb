"""Rounds become a median, a spread, a ratio with an interval, and a word about the aim."""

from __future__ import annotations

import math

import pytest

from apps.analysis.compare.stats import Effect
from benchlab.bench.figures import Aim, figures, minus, reached, relative_spread

PEER = [1.0, 1.1, 0.9, 1.05, 0.95, 1.0, 1.02]


def test_the_ratio_is_ours_over_the_peers() -> None:
    found = figures([value * 0.2 for value in PEER], PEER)
    assert found.effect.ratio == pytest.approx(0.2)
    assert found.effect.low == pytest.approx(0.2)
    assert found.effect.high == pytest.approx(0.2)
    assert found.ours == pytest.approx(0.2)
    assert found.peer == 1.0
    assert found.rounds == 7


def test_rounds_are_paired_so_drift_does_not_widen_the_interval() -> None:
    drifting = [float(2**n) for n in range(8)]
    found = figures([value / 2 for value in drifting], drifting)
    assert found.effect.low == pytest.approx(0.5)
    assert found.effect.high == pytest.approx(0.5)


def test_too_few_rounds_give_no_interval() -> None:
    found = figures(PEER[:5], PEER[:5])
    assert found.effect.low is None
    assert reached(found.effect, Aim(2.0)) == "open"


def test_an_overhead_below_zero_counts_as_none() -> None:
    found = figures([-0.01, 0.1, 0.1, 0.1, 0.1, 0.1], [1.0] * 6)
    assert found.effect.low == 0.0
    assert found.effect.ratio == pytest.approx(0.1)


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="as many rounds"):
        figures([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="as many rounds"):
        figures([], [])


def test_only_the_peers_spread_makes_a_run_noisy() -> None:
    wide = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    calm = [1.0] * 6
    assert figures(calm, wide).noisy
    assert not figures(wide, calm).noisy


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([1.0, 2.0, 3.0, 4.0, 5.0], 2 / 3),
        ([2.0, 2.0, 2.0], 0.0),
        ([7.0], 0.0),
        ([0.0, 0.0], 0.0),
        ([-1.0, 0.0, 1.0], math.inf),
    ],
)
def test_spread_is_the_middle_half_over_the_median(values: list[float], spread: float) -> None:
    assert relative_spread(values) == pytest.approx(spread)


@pytest.mark.parametrize(
    ("low", "high", "upper", "word"),
    [
        (0.1, 0.2, True, "yes"),
        (0.1, 0.3, True, "open"),
        (0.21, 0.3, True, "no"),
        (0.99, 1.1, False, "yes"),
        (0.1, 0.19, False, "no"),
    ],
)
def test_an_aim_is_reached_only_with_the_whole_interval(
    low: float, high: float, upper: bool, word: str
) -> None:
    assert reached(Effect((low + high) / 2, low, high), Aim(0.2, upper)) == word


def test_a_row_without_an_aim_says_so() -> None:
    assert reached(Effect(1.0, 0.9, 1.1), None) == "no aim"
    assert str(Aim(0.2)) == "<= 0.2"
    assert str(Aim(0.98, upper=False)) == ">= 0.98"


def test_the_base_is_taken_off_round_by_round() -> None:
    assert minus([3.0, 5.0], [1.0, 2.0]) == [2.0, 3.0]
    with pytest.raises(ValueError, match="zip"):
        minus([3.0], [1.0, 2.0])
