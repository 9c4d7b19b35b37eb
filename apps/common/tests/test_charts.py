"""Parts that every chart shares."""

from __future__ import annotations

import math

import pytest

from apps.common.domain import charts


@pytest.mark.parametrize(
    ("unit", "largest", "factor", "shown"),
    [
        ("ns", 999.0, 1.0, "ns"),
        ("ns", 1000.0, 1e3, "µs"),
        ("ns", 5e6, 1e6, "ms"),
        ("ns", 2e9, 1e9, "s"),
        ("bytes/s", 2.0**20, 2.0**20, "MiB/s"),
        ("bytes/s", 5.0, 1.0, "B/s"),
        ("1/s", 1e6, 1.0, "operations/s"),
        ("%", 99.0, 1.0, "%"),
        ("ns", 0.2, 1.0, "ns"),
    ],
)
def test_scale_fits_the_largest_value(unit: str, largest: float, factor: float, shown: str) -> None:
    assert charts.scale_for(unit, [largest, None, 0.0, math.nan]) == charts.Scale(factor, shown)


def test_scale_of_nothing_is_the_smallest_unit() -> None:
    assert charts.scale_for("ns", []) == charts.Scale(1.0, "ns")


def test_values_are_divided_and_gaps_become_null() -> None:
    values = charts.Scale(1e3, "µs").of([2000.0, None, math.nan, math.inf])
    assert values == [2.0, None, None, None]


def test_axes_carry_their_unit() -> None:
    assert charts.axis("Latency", "ms")["title"] == {"text": "Latency (ms)"}
    assert charts.axis("Workload")["title"] == {"text": "Workload"}


def test_looks_stay_distinct_after_the_palette_ends() -> None:
    looks = {(charts.colour(i), charts.dash(i)) for i in range(24)}
    assert len(looks) == 24
    assert charts.symbol(0) != charts.symbol(1)


def test_layout_leaves_the_background_to_the_page() -> None:
    shape = charts.layout("t")
    assert shape["paper_bgcolor"] == shape["plot_bgcolor"] == charts.CLEAR
    assert not {"template", "font"} & shape.keys()


def test_thinning_keeps_the_ends() -> None:
    picked = charts.pick_evenly(range(1000), 10)
    assert (len(picked), picked[0], picked[-1]) == (10, 0, 999)
    assert charts.pick_evenly([1, 2], 10) == [1, 2]


def test_logarithmic_axes_write_their_ticks_out() -> None:
    ticks = charts.log_ticks([95.0, None, 0.0, 410.0])
    assert ticks["ticktext"] == ["10", "20", "50", "100", "200", "500", "1,000", "2,000", "5,000"]
    assert charts.log_ticks([1.0, 1e9])["ticktext"][:2] == ["1", "10"]
    assert charts.log_ticks([None]) == {}
    assert charts.log_ticks([2e-5, 1e-3])["ticktext"][:3] == ["0.00001", "0.00002", "0.00005"]
