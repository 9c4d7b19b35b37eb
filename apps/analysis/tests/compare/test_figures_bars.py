"""Bars of medians with every repeat and the exact interval."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from apps.analysis.compare.charts.bars import Bar, BarPanel, bars_with_intervals
from apps.common.domain.charts import ChartFigure

BARS = [
    Bar("randread 4 KiB", "default", [1e6, 2e6, 3e6, 4e6, 5e6, 6e6]),
    Bar("randread 4 KiB", "tuned", [2e6, None, 3e6]),
    Bar("randwrite 4 KiB", "default", []),
]


def drawn() -> ChartFigure:
    """The figure of the three bars."""
    return bars_with_intervals([BarPanel("Latency, mean", "ns", BARS)])


def test_plotly_accepts_it_and_it_is_json() -> None:
    figure = drawn()
    go.Figure(figure)
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure


def test_a_bar_is_the_median_and_the_arms_reach_the_interval() -> None:
    bar = drawn()["data"][0]
    assert (bar["type"], bar["name"]) == ("bar", "default")
    assert bar["text"] == ["randread 4 KiB", "randwrite 4 KiB"]
    assert bar["x"] == [3.5, None]
    assert bar["error_x"]["array"] == [pytest.approx(2.5), None]
    assert bar["error_x"]["arrayminus"] == [pytest.approx(2.5), None]


def test_bars_lie_below_their_workload() -> None:
    figure = drawn()
    headings = [(one["text"], one["y"]) for one in figure["layout"]["annotations"]]
    assert headings == [("<b>randread 4 KiB</b>", 0), ("<b>randwrite 4 KiB</b>", 3)]
    assert [trace["y"] for trace in figure["data"] if trace["type"] == "bar"] == [[1, 4], [2]]


def test_every_repeat_is_a_dot_and_missing_ones_are_counted() -> None:
    dots = drawn()["data"][3]
    assert (dots["mode"], dots["x"], dots["y"]) == ("markers", [2.0, 3.0], [2, 2])
    assert dots["meta"] == {"shown": 2, "total": 3}
    assert dots["showlegend"] is False


def test_levels_share_colour_with_their_dots_and_differ_from_each_other() -> None:
    data = drawn()["data"]
    assert data[0]["marker"]["color"] == data[1]["marker"]["color"]
    assert data[0]["marker"]["color"] != data[2]["marker"]["color"]
    assert data[1]["marker"]["symbol"] != data[3]["marker"]["symbol"]


def test_the_axis_says_the_unit_drawn() -> None:
    assert drawn()["layout"]["xaxis"]["title"]["text"] == "Latency, mean (ms)"


def test_no_trace_has_more_points_than_a_browser_likes() -> None:
    bars = [Bar("w", "a", [float(x) for x in range(5000)])]
    figure = bars_with_intervals([BarPanel("IOPS", "1/s", bars)])
    assert len(figure["data"][1]["y"]) == 2000
    assert figure["data"][1]["meta"] == {"shown": 2000, "total": 5000}


def test_nothing_to_draw_is_still_a_figure() -> None:
    go.Figure(bars_with_intervals([BarPanel("IOPS", "1/s", [])]))


def test_each_metric_has_a_panel_and_an_axis_of_its_own() -> None:
    """Small blocks by IOPS, large ones by bandwidth: no axis fits both."""
    large = [Bar("read 1 MiB", level, [2**30 * 1.0] * 6) for level in ("default", "tuned")]
    panels = [BarPanel("IOPS", "1/s", BARS), BarPanel("Bandwidth", "bytes/s", large)]
    figure = bars_with_intervals(panels)
    go.Figure(figure)
    shape = figure["layout"]
    assert [shape[name]["title"]["text"] for name in ("xaxis", "xaxis2")] == [
        "IOPS",
        "Bandwidth (MiB/s)",
    ]
    assert shape["yaxis"]["domain"][0] > shape["yaxis2"]["domain"][1]
    assert (shape["xaxis2"]["anchor"], shape["yaxis2"]["anchor"]) == ("y2", "x2")
    named = [trace["name"] for trace in figure["data"] if trace["showlegend"]]
    assert named == ["default", "tuned"]
    below = [trace for trace in figure["data"] if trace["xaxis"] == "x2"]
    assert {trace["yaxis"] for trace in below} == {"y2"}
    assert [one["yref"] for one in shape["annotations"]] == ["y", "y", "y2"]
