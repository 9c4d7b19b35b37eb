"""The tool's and the device's view on one time axis."""

from __future__ import annotations

import itertools
import json

import plotly.graph_objects as go
import pytest

from apps.common.domain.charts import ChartFigure
from apps.results.presenters.chart_figures import Trace, time_series

SECONDS = [1.0, 2.0, 3.0]


def drawn() -> ChartFigure:
    """Two metrics of a case and one of a device, given out of order."""
    tool = [
        Trace("latency_mean", "case 1", SECONDS, [2e6, None, 3e6]),
        Trace("iops", "case 1", SECONDS, [100.0, 200.0, 300.0]),
    ]
    return time_series(tool, [Trace("utilisation", "vdb", SECONDS, [50.0, 60.0, 70.0])], title="t")


def test_plotly_accepts_it_and_it_is_json() -> None:
    figure = drawn()
    go.Figure(figure)
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure


def test_panels_come_in_the_fixed_order_with_units() -> None:
    shape = drawn()["layout"]
    titles = [shape[key]["title"]["text"] for key in ("yaxis", "yaxis2", "yaxis3")]
    assert titles == [
        "IOPS",
        "Latency, mean<br> (ms)",
        "Device utilisation<br> (%)",
    ]
    assert shape["xaxis"]["title"]["text"] == "Time (s)"


def test_panels_share_one_time_axis_and_do_not_overlap() -> None:
    figure = drawn()
    assert {trace["xaxis"] for trace in figure["data"]} == {"x"}
    domains = [figure["layout"][key]["domain"] for key in ("yaxis", "yaxis2", "yaxis3")]
    assert domains[0][1] == 1
    assert domains[2][0] == pytest.approx(0, abs=1e-6)
    assert all(upper[0] > lower[1] for upper, lower in itertools.pairwise(domains))
    assert figure["layout"]["xaxis"]["anchor"] == "y3"


def test_a_gap_stays_a_gap() -> None:
    latency = next(t for t in drawn()["data"] if t["yaxis"] == "y2")
    assert latency["y"] == [2.0, None, 3.0]
    assert latency["connectgaps"] is False


def test_a_name_is_once_in_the_legend_with_one_colour() -> None:
    mine = [t for t in drawn()["data"] if t["name"] == "case 1"]
    assert [t["showlegend"] for t in mine] == [True, False]
    assert len({t["line"]["color"] for t in mine}) == 1


def test_long_traces_are_thinned_and_say_so_but_keep_a_stall() -> None:
    values: list[float | None] = [500.0] * 50_000
    values[31_415] = 0.0
    figure = time_series([Trace("iops", "c", [float(s) for s in range(50_000)], values)], title="t")
    trace = figure["data"][0]
    assert trace["meta"]["shown"] == len(trace["x"]) <= 2000
    assert trace["meta"]["total"] == 50_000
    assert 0.0 in trace["y"]


def test_only_svg_traces_are_used() -> None:
    assert {trace["type"] for trace in drawn()["data"]} == {"scatter"}


def test_other_metrics_come_last_and_words_can_be_translated() -> None:
    traces = [Trace("await", "d", [1.0], [5.0]), Trace("queue", "d", [1.0], [2.0])]
    shape = time_series(traces, title="t", labels={"queue": "Warteschlange", "time": "Zeit"})[
        "layout"
    ]
    assert shape["yaxis"]["title"]["text"] == "Warteschlange<br> (requests)"
    assert shape["yaxis2"]["title"]["text"] == "Device wait<br> (ns)"
    assert shape["xaxis"]["title"]["text"] == "Zeit (s)"


def test_nothing_to_draw_is_still_a_figure() -> None:
    go.Figure(time_series([], title="t"))


def test_a_single_sample_can_be_seen() -> None:
    figure = time_series([Trace("iops", "one", [1.0], [100.0])], [], title="t")
    assert figure["data"][0]["mode"] == "lines+markers"
    many = [float(second) for second in range(60)]
    assert (
        time_series([Trace("iops", "x", many, many)], [], title="t")["data"][0]["mode"] == "lines"
    )
