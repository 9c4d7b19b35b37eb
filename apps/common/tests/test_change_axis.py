"""Ticks of an axis of ratios: few, whole changes in per cent, no change among them."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.domain.charts.change_axis import (
    MOST_TICKS,
    change_axis,
    change_ticks,
    change_words,
)

NARROW, HALF, WIDE = (0.97, 1.04), (0.45, 2.1), (0.02, 30.0)


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        (NARROW, ["−2 %", "0 %", "+2 %", "+4 %"]),
        (HALF, ["−50 %", "0 %", "+50 %", "+100 %"]),
        (WIDE, ["−90 %", "0 %", "+900 %"]),
        # Half a step more would do for all but the last two, whose words meet.
        ((0.88, 4.1), ["0 %", "+100 %", "+200 %", "+300 %"]),
        ((0.4, 7.0), ["−50 %", "0 %", "+100 %", "+400 %"]),
        ((0.0004, 1.2), ["−99.9 %", "−99 %", "−90 %", "0 %"]),
    ],
)
def test_ticks(ends: tuple[float, float], words: list[str]) -> None:
    assert [change_words(ratio) for ratio in change_ticks(*ends)] == words


def test_noise_is_not_drawn_large() -> None:
    axis = change_axis("Change", [1.0001, 0.9999])
    assert axis["range"][0] < -0.02 < 0.02 < axis["range"][1]


def test_what_is_no_ratio_is_left_out() -> None:
    assert change_axis("x", [None, 0.0, float("inf"), 1.0]) == change_axis("x", [])
    go.Figure(layout={"xaxis": change_axis("x", [])})


@given(st.floats(1e-9, 1.0), st.floats(1.0, 1e9))
def test_ticks_are_few_and_within(low: float, high: float) -> None:
    ticks = change_ticks(low, high)
    assert len(ticks) <= MOST_TICKS
    assert all(low <= tick <= high for tick in ticks)
    assert ticks == sorted(set(ticks))


@given(st.lists(st.floats(1e-6, 1e6), max_size=5))
def test_no_change_always_has_its_tick(ratios: list[float]) -> None:
    assert "0 %" in change_axis("x", ratios)["ticktext"]
