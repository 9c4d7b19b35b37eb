"""Numbers of repeats that a difference takes, and differences that so many could have found."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from apps.plans.domain.blocks import block_sizes
from apps.stats.power import detectable, noise_of, planned, repeats_needed
from tests.statistics.verdicts import SimulatedPage, advised, found

SIZES = partial(block_sizes, tests=4, tunings=2)


@pytest.mark.parametrize("workloads", [1, 4, 24])
@pytest.mark.parametrize("drift", [1.0, 1.2])
def test_the_advised_repeats_find_a_difference_of_five_percent(
    workloads: int, drift: float
) -> None:
    page = SimulatedPage(workloads, 1, advised(workloads), 1.05, 1, drift=drift)
    assert found(page, 200, seed=2).share >= 0.92  # 0.95 less two standard errors


def test_more_noise_and_smaller_differences_take_more() -> None:
    needed = [repeats_needed(effect, 0.02, 4, SIZES) for effect in (0.1, 0.05, 0.03, 0.01)]
    assert needed == sorted(needed, key=lambda n: n or 0)
    assert needed[0] is not None
    assert needed[0] < 8
    assert repeats_needed(0.0001, 0.3, 4, SIZES) is None


def test_what_is_detectable_is_what_the_repeats_are_enough_for() -> None:
    needed = repeats_needed(0.05, 0.02, 4, SIZES)
    assert needed is not None
    least = detectable(planned(SIZES(needed), 4), 0.02, 4)
    assert least is not None
    assert 0.035 < least <= 0.055
    assert detectable(planned(SIZES(3), 4), 0.02, 4) is None


def test_the_noise_is_that_between_repeats_of_one_side() -> None:
    rng = np.random.default_rng(3)
    sides = [np.exp(rng.normal(level, 0.02, 400)) for level in (0.0, 1.0)]
    assert noise_of(sides) == pytest.approx(0.02, rel=0.1)
    with_drift = [side * np.repeat([1.0, 1.5], 200) for side in sides]
    blocks = [np.repeat([1, 2], 200)] * 2
    assert noise_of(with_drift, blocks) == pytest.approx(0.02, rel=0.1)
    assert noise_of([[1.0, 1.1]]) is None
    assert noise_of([[0.0, 1.1, 1.2, 1.3]]) is None
