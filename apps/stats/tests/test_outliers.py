"""Targets far from their siblings are named, and seldom one that is not."""

from __future__ import annotations

import numpy as np
import pytest

from apps.stats.outliers import outlier_ratio, outliers

FLEETS = 300


def equal(rng: np.random.Generator, targets: int) -> list[float]:
    return [float(value) for value in np.exp(rng.normal(0, 0.03, targets))]


@pytest.mark.parametrize("targets", [6, 24, 100])
def test_of_equal_members_seldom_one_is_an_outlier(targets: int) -> None:
    """One fleet in twenty; three standard errors more are chance."""
    rng = np.random.default_rng(1)
    wrong = sum(any(outliers([equal(rng, targets)])[0]) for _each in range(FLEETS))
    assert wrong / FLEETS <= 0.05 + 3 * (0.05 * 0.95 / FLEETS) ** 0.5


def test_several_groups_share_the_error() -> None:
    rng = np.random.default_rng(2)
    fleets = [[equal(rng, 24) for _group in range(8)] for _each in range(100)]
    wrong = sum(any(any(flags) for flags in outliers(fleet)) for fleet in fleets)
    assert wrong <= 11


def test_a_disk_a_fifth_slower_than_its_siblings_is_found() -> None:
    rng = np.random.default_rng(3)
    found = [outliers([[*equal(rng, 23), 0.78]])[0] for _each in range(100)]
    assert sum(flags[-1] for flags in found) >= 95


def test_two_bad_ones_do_not_hide_each_other() -> None:
    rng = np.random.default_rng(4)
    flags = outliers([[*equal(rng, 22), 0.5, 0.5]])[0]
    assert flags[-2:] == [True, True]


def test_few_siblings_and_small_differences_are_not_judged() -> None:
    assert outliers([[1.0, 1.0, 1.0, 1.0, 9.0]]) == [[False] * 5]
    assert outliers([[1.0] * 9 + [1.015]]) == [[False] * 10]
    assert outliers([[1.0] * 9 + [1.03]])[0][-1]
    assert outliers([[0.0] * 8]) == [[False] * 8]
    assert outlier_ratio([1.0] * 5, 5) is None
