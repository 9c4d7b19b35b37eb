"""Chains of comparisons, and Holm's method where each chain is one comparison."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.analysis.verdicts.multiplicity import CHAIN
from apps.stats.gatekeeping import corrected_p, divide_alpha
from apps.tools.metrics import TABLE_METRICS


def holm(p_values: list[float]) -> list[bool]:
    """Hypotheses that Holm's step-down method rejects at 5 %."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    rejected = [False] * len(p_values)
    for done, place in enumerate(order):
        if p_values[place] > 0.05 / (len(p_values) - done):
            break
        rejected[place] = True
    return rejected


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=12))
def test_chains_of_one_are_holms_method(p_values: list[float]) -> None:
    parts = divide_alpha(np.array(p_values)).tolist()
    shown = [p * part <= 0.05 for p, part in zip(p_values, parts, strict=True)]
    assert shown == holm(p_values)


def test_a_chain_ends_at_the_first_that_shows_nothing() -> None:
    chains = np.array([[0.01, 0.2, 0.001]])
    (found,) = corrected_p(chains, divide_alpha(chains.max(axis=1)))
    assert found.tolist() == pytest.approx([0.01, 0.2, 0.2])


def test_a_chain_that_showed_all_it_has_gives_its_part_to_the_others() -> None:
    assert divide_alpha(np.array([0.02, 0.04])).tolist() == [2, 1]
    assert divide_alpha(np.array([0.03, 0.04])).tolist() == [2, 2]


def test_every_metric_that_pages_show_has_its_place_in_the_chain() -> None:
    assert sorted(CHAIN) == sorted(TABLE_METRICS)
