"""Changes of medians are found, and seldom seen where nothing changed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import rankdata

from apps.stats.change_points import MAX_VALUES, MIN_SEGMENT, change_points, normal_scores
from tests.statistics.history import Year, false_alarms, false_marks, found, noticed

YEARS = 200


def noise(number: int, seed: int = 1) -> list[float]:
    logs = np.random.default_rng(seed).normal(0, 0.03, number)
    return [float(value) for value in np.exp(logs)]


@pytest.mark.parametrize("runs", [52, 104, 365])
@pytest.mark.parametrize("kind", ["normal", "heavy tails"])
def test_a_change_of_a_tenth_is_found_and_nothing_else(runs: int, kind: str) -> None:
    """200 years with and without a change; 1 in 20 may be wrong, 18 in 20 must be found."""
    year = Year(runs, noise=kind)
    assert found(year, 1.1, YEARS, seed=1) >= 0.9
    assert found(year, 1 / 1.1, YEARS, seed=2) >= 0.9
    assert false_alarms(year, YEARS, seed=3) <= 0.05


def test_history_judged_after_every_run_shows_no_false_change() -> None:
    """At most one year in twenty; the border of 60 years allows one error of the simulation."""
    assert false_alarms(Year(52), 60, seed=4, every_look=True) <= 4 / 60


def test_it_is_named_a_few_runs_later() -> None:
    assert noticed(Year(104), 1.1, later=10, years=100, seed=5) >= 0.9


@pytest.mark.parametrize("before", [12, 40])
def test_a_fall_of_thirty_percent_is_named_within_three_runs(before: int) -> None:
    assert noticed(Year(before + 3), 0.7, later=3, years=100, seed=6) >= 0.95


@pytest.mark.parametrize("kind", ["normal", "heavy tails"])
def test_hundred_runs_without_a_change_have_one_false_mark_or_none(kind: str) -> None:
    assert false_marks(Year(50, noise=kind), 20, seed=7) <= 1.0


def test_two_wild_runs_of_the_last_three_are_no_change() -> None:
    assert change_points([*noise(40), 0.1, 1.0, 0.1]) == []


def test_a_mode_that_was_there_before_is_no_change() -> None:
    values = np.array(noise(40))
    values[[3, 9, 10, 17, 25, 31]] *= 1.4
    assert change_points([*values.tolist(), 1.4, 1.41, 1.39]) == []


def test_a_dip_has_two_ends() -> None:
    values = noise(120)
    values[60:75] = [value * 0.8 for value in values[60:75]]
    assert change_points(values) == [60, 75]


def test_of_several_changes_each_is_found() -> None:
    values = np.array(noise(200)) * np.repeat([1.0, 1.2, 0.9, 1.1], 50)
    assert change_points(values.tolist()) == [50, 100, 150]


def test_one_wild_run_is_no_change() -> None:
    values = noise(60)
    values[30] = 100.0
    assert change_points(values) == []


@pytest.mark.parametrize("number", [0, 1, 2 * MIN_SEGMENT - 1, 8])
def test_too_few_runs_say_nothing(number: int) -> None:
    assert change_points([1.0] * (number // 2) + [9.0] * (number - number // 2)) == []


def test_equal_values_never_change() -> None:
    assert change_points([5.0] * 100) == []
    assert normal_scores(np.ones(5)).tolist() == [0.0] * 5


def test_of_very_many_runs_the_newest_are_searched() -> None:
    values = [9.0] * 30 + noise(MAX_VALUES)
    values[-20:] = [value * 2 for value in values[-20:]]
    assert change_points(values) == [MAX_VALUES + 10]


def test_scores_are_those_of_ranks_that_equal_values_share() -> None:
    values = np.random.default_rng(5).integers(0, 20, 60).astype(float)
    raw = ndtri(rankdata(values) / 61)
    assert normal_scores(values) == pytest.approx((raw - raw.mean()) / raw.std(ddof=1))
