"""Holm's correction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.analysis.compare.stats import adjust

P_VALUES = st.lists(st.floats(0, 1), max_size=12)


def test_by_hand() -> None:
    assert adjust([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_what_was_not_tested_costs_nothing() -> None:
    assert adjust([None, 0.02, None]) == [None, 0.02, None]
    assert adjust([]) == []


@given(P_VALUES)
def test_never_below_the_single_p_nor_above_bonferroni(p_values: list[float]) -> None:
    for single, adjusted in zip(p_values, adjust(p_values), strict=True):
        assert adjusted is not None
        assert single <= adjusted <= min(1.0, single * len(p_values)) + 1e-12


@given(P_VALUES)
def test_order_is_kept(p_values: list[float]) -> None:
    pairs = sorted(zip(p_values, [x or 0.0 for x in adjust(p_values)], strict=True))
    adjusted = [x for _, x in pairs]
    assert adjusted == sorted(adjusted)
