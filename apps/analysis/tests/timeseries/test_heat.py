"""Latency heat maps: shares of each interval, and the seconds that are zoomed to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.timeseries.heat import MAX_COLUMNS, Heat, heat_maps, window_of
from apps.results.services.attempt_results import results_store
from apps.runs.models import Attempt, Run
from apps.tools import parse_result

Api = Callable[[User | None], APIClient]


def heat(counts: list[list[int]], lows: tuple[int, ...] = (960, 8192)) -> Heat:
    return Heat("#1 read", 2.0, 0.5, lows, np.array(counts, np.int64))


def shown(trace: Any) -> dict[tuple[float, float], float]:
    """(second, latency's lower edge) -> percent, of the cells that are drawn."""
    return {
        (x, y): cell
        for y, row in zip(trace["y"], trace["customdata"], strict=False)
        for x, cell in zip(trace["x"], row, strict=False)
        if cell is not None
    }


def test_a_column_has_the_shares_of_its_interval() -> None:
    figure = heat_maps([heat([[3, 1], [0, 0], [0, 5]])])
    (trace,) = figure["data"]
    assert trace["x"] == [2.0, 2.5, 3.0, 3.5]
    assert len(trace["y"]) == len(trace["z"]) + 1
    # In µs, as the largest edge has one.
    assert shown(trace) == {(2.0, 0.96): 75.0, (2.0, 8.192): 25.0, (3.0, 8.192): 100.0}
    assert trace["z"][0] == [pytest.approx(1.875, abs=1e-3), None, None]
    assert figure["layout"]["yaxis"]["title"]["text"] == "Latency (µs)"
    json.dumps(figure, allow_nan=False)


def test_buckets_between_those_that_were_seen_are_there() -> None:
    (trace,) = heat_maps([heat([[1, 1], [1, 1]])])["data"]
    edges = np.array(trace["y"])
    assert (edges[1:] / edges[:-1]).max() <= 1.125 + 1e-9


def test_many_intervals_are_added_to_columns_that_can_be_seen() -> None:
    (trace,) = heat_maps([heat([[1, 1]] * (2 * MAX_COLUMNS + 1))])["data"]
    assert len(trace["z"][0]) <= MAX_COLUMNS
    assert trace["x"][-1] == 2.0 + (2 * MAX_COLUMNS + 1) * 0.5


def test_a_window_has_the_intervals_it_touches() -> None:
    found = window_of(heat([[n, 0] for n in range(10)]), 3.2, 4.1)
    assert found.start == 3.0
    assert found.counts[:, 0].tolist() == [2, 3, 4]
    assert window_of(heat([[1, 0]] * 4), 90.0, 99.0).counts.shape[0] == 0


def test_a_name_is_no_markup() -> None:
    (trace,) = heat_maps([Heat("<b>%{x}", 0, 1, (960,), np.ones((2, 1), np.int64))])["data"]
    assert "<b>" not in trace["hovertemplate"].removesuffix("</extra>")


@pytest.fixture
def run(owner: User) -> Run:
    found = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=2))
    for attempt in Attempt.objects.filter(case__run=found):
        over_time = parse_result.HistogramSeries((960, 8192), ((90, 10), (50, 50), (10, 90)))
        largest = parse_result.Series("latency_max", (1e3, 9e6, 1e4))
        measured = parse_result.Measurement("read", 1.0, 1.0, over_time=over_time, series=[largest])
        parsed = parse_result.Parsed("fio", "json+", "3.33", (measured,))
        results_store(attempt=attempt, parsed=parsed, parser_version=1)
    return found


def answer(api: Api, user: User, **query: Any) -> Any:
    found = api(user).get("/api/v1/analysis/timeseries/", query)
    assert found.status_code == 200, found.json()
    return found.json()


def test_the_answer_has_a_map_for_each_test_and_the_slowest_windows(
    run: Run, api: Api, viewer: User
) -> None:
    data = answer(api, viewer, run=run.pk)
    maps = next(one for one in data["figures"] if one["key"] == "heat")["figure"]
    assert [trace["customdata"][0] for trace in maps["data"]] == [[90.0, 50.0, 10.0]] * 2
    table = next(one for one in data["tables"] if one["key"] == "slowest")
    names = [column["key"] for column in table["columns"]]
    first = dict(zip(names, table["rows"][0], strict=True))
    assert (first["start"], first["latency"], first["times"]) == (1.0, 9e6, 900.0)
    assert "Slowest: second 1 to 2" in data["headline"]
    assert "9.000 ms" in data["headline"]


def test_without_histograms_it_says_how_to_have_them(owner: User, api: Api, viewer: User) -> None:
    found = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=1))
    attempt = Attempt.objects.get(case__run=found)
    rates = [parse_result.Series("iops", (1.0, 2.0))]
    parsed = parse_result.Parsed(
        "fio", "json", "3.33", (parse_result.Measurement("read", 1.0, 1.0, series=rates),)
    )
    results_store(attempt=attempt, parsed=parsed, parser_version=1)
    data = answer(api, viewer, run=found.pk)
    assert [one["key"] for one in data["figures"]] == ["time"]
    assert any("reparses" in note for note in data["notes"])


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_a_page_zooms_to_the_samples(
    run: Run, who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    seen: Client = request.getfixturevalue(who)
    address = reverse("analysis_figure", args=["timeseries", "time"])
    page = seen.get(reverse("timeseries"), {"run": run.pk}).content.decode()
    assert f'data-figure-url="{address}?run={run.pk}"' in page
    part = {"run": str(run.pk), "from": "0.7", "to": "1.9"}
    found = seen.get(address, part).json()
    assert found["data"][0]["x"] == [1.0, 2.0]
    maps = seen.get(reverse("analysis_figure", args=["timeseries", "heat"]), part).json()
    assert maps["data"][0]["x"] == [0.0, 1.0, 2.0]
    assert seen.get(address, part | {"from": "soon"}).status_code == 400
    assert (
        seen.get(reverse("analysis_figure", args=["timeseries", "cake"]), part).status_code == 404
    )
    assert client.get(address, part).status_code == 302
