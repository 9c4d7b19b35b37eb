"""Changes with their intervals, below their workloads' names, and a line at no change."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from apps.analysis.compare.charts.forest import ForestRow, forest_height, ratio_forest
from apps.common.domain.charts import ChartFigure
from apps.common.domain.verdicts import VerdictKind
from apps.stats.effect import Effect

ROWS = [
    ForestRow("randread", "IOPS", Effect(1.2, 1.1, 1.3, True), VerdictKind.BETTER),
    ForestRow("randread", "p99", Effect(0.9, 0.8, 1.05), VerdictKind.NO_DIFFERENCE),
    ForestRow("read", "IOPS", Effect(1.1, None, None), VerdictKind.TOO_FEW_REPEATS),
    ForestRow("read", "p99", Effect(None, None, None), VerdictKind.TOO_FEW_REPEATS),
    ForestRow("trim", "IOPS", Effect(0.5, 0.0, 0.6, True), VerdictKind.WORSE),
]


def drawn() -> ChartFigure:
    """The figure of all rows."""
    return ratio_forest(ROWS, label="Change against default", names={VerdictKind.BETTER: "besser"})


def test_plotly_accepts_it_and_it_is_json() -> None:
    figure = drawn()
    go.Figure(figure)
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure


def test_arms_reach_the_interval() -> None:
    better = next(t for t in drawn()["data"] if t["name"] == "besser")
    assert better["error_x"]["array"] == [pytest.approx(0.1)]
    assert better["error_x"]["arrayminus"] == [pytest.approx(0.1)]


def test_rows_without_an_interval_have_no_arms() -> None:
    few = next(t for t in drawn()["data"] if t["name"] == VerdictKind.TOO_FEW_REPEATS)
    assert few["error_x"]["array"] == [None]


def test_an_interval_from_zero_has_no_lower_arm_on_a_log_axis() -> None:
    worse = next(t for t in drawn()["data"] if t["name"] == VerdictKind.WORSE)
    assert worse["error_x"]["arrayminus"] == [None]
    assert worse["error_x"]["array"] == [pytest.approx(0.1)]


def test_rows_without_a_ratio_are_counted_as_left_out() -> None:
    assert drawn()["layout"]["meta"] == {"shown": 4, "total": 5}
    assert drawn()["layout"]["yaxis"]["ticktext"] == ["IOPS", "p99", "IOPS", "IOPS"]


def test_each_workload_is_named_once_above_its_rows() -> None:
    shape = drawn()["layout"]
    headings = [(one["text"], one["y"]) for one in shape["annotations"]]
    assert headings == [("<b>randread</b>", 0), ("<b>read</b>", 3), ("<b>trim</b>", 5)]
    assert shape["yaxis"]["tickvals"] == [1, 2, 4, 6]
    assert shape["yaxis"]["range"] == [6.5, -0.5]


def test_a_point_says_its_whole_name() -> None:
    better = next(t for t in drawn()["data"] if t["name"] == "besser")
    assert (better["y"], better["text"]) == ([1], ["randread · IOPS"])


def test_a_line_marks_no_difference_on_a_log_axis() -> None:
    shape = drawn()["layout"]
    assert (shape["shapes"][0]["x0"], shape["shapes"][0]["x1"]) == (1, 1)
    assert shape["xaxis"]["type"] == "log"


def test_the_axis_reads_as_changes() -> None:
    axis = drawn()["layout"]["xaxis"]
    assert axis["title"]["text"] == "Change against default"
    assert axis["ticktext"] == ["−40 %", "−20 %", "0 %", "+20 %"]


def test_kinds_differ_in_more_than_colour() -> None:
    symbols = [trace["marker"]["symbol"] for trace in drawn()["data"]]
    assert len(set(symbols)) == len(symbols)


def test_nothing_to_draw_is_still_a_figure() -> None:
    go.Figure(ratio_forest([], label="b / a"))
    assert forest_height([]) > 0
