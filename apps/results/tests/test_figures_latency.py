"""Percentile curves and latency histograms."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from apps.common.domain.histograms import percentiles
from apps.results.presenters.chart_figures import Distribution, latency_histogram, percentile_curves

BINS = [1_000, 2_000, 4_000, 8_000_000]
COUNTS = [500, 400, 90, 10]


def test_both_are_accepted_by_plotly_and_are_json() -> None:
    curve = percentile_curves([Distribution("default", BINS, COUNTS)], title="Latency")
    for figure in (curve, latency_histogram(BINS, COUNTS, title="Latency")):
        go.Figure(figure)
        assert json.loads(json.dumps(figure, allow_nan=False)) == figure


def test_curve_reads_what_the_percentiles_say() -> None:
    trace = percentile_curves([Distribution("d", BINS, COUNTS)], title="t")["data"][0]
    assert trace["line"]["shape"] == "hv"
    assert trace["x"] == pytest.approx([1, 2, 10, 100])
    assert trace["y"] == pytest.approx([0.001, 0.002, 0.004, 8.0])
    for wanted, exact in zip(
        (75, 95, 99.5), percentiles(BINS, COUNTS, (75, 95, 99.5)), strict=True
    ):
        step = np.searchsorted(trace["x"], 100 / (100 - wanted), side="right") - 1
        assert trace["y"][step] * 1e6 == pytest.approx(exact)


def test_percentile_axis_is_marked_at_the_nines() -> None:
    across = percentile_curves([], title="t")["layout"]["xaxis"]
    assert across["ticktext"] == ["50", "90", "99", "99.9", "99.99"]
    assert across["tickvals"] == pytest.approx([2, 10, 100, 1000, 10_000])
    assert across["title"]["text"] == "Percentile (%)"


def test_long_curves_are_thinned_and_keep_the_maximum() -> None:
    bins = list(range(1, 20_001))
    trace = percentile_curves([Distribution("d", bins, [1] * 20_000)], title="t")["data"][0]
    assert len(trace["x"]) <= 2000
    assert trace["meta"]["total"] == 20_000
    assert trace["y"][-1] == pytest.approx(20.0)


def test_zero_nanoseconds_have_a_place_on_a_log_axis() -> None:
    curve = percentile_curves([Distribution("d", [0, 5], [1, 1])], title="t")
    assert min(curve["data"][0]["y"]) > 0
    assert min(latency_histogram([0, 5], [1, 1], title="t")["data"][0]["x"]) > 0


def test_an_empty_distribution_is_an_empty_curve() -> None:
    figure = percentile_curves([Distribution("d", [], [])], title="t")
    go.Figure(figure)
    assert figure["data"][0]["x"] == []


def test_histogram_shares_add_up_to_all_operations() -> None:
    trace = latency_histogram(BINS, COUNTS, title="t")["data"][0]
    assert sum(trace["y"][:-1]) == pytest.approx(100)
    assert len(trace["x"]) == len(trace["y"])
    assert trace["fill"] == "tozeroy"


def test_histogram_of_nothing_is_still_a_figure() -> None:
    go.Figure(latency_histogram([], [], title="t"))
