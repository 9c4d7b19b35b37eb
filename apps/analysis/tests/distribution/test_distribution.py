"""Latency of several results: counts are added, never percentiles averaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.distribution.figures import curves_chart, histograms_chart
from apps.analysis.distribution.result import DistributionResult, merged
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.common.domain.histograms import merge, percentiles
from apps.results.models import Histogram
from apps.runs.models import Run
from tests.harness.documents import Document

Api = Callable[[User | None], APIClient]


def result(case: int, histogram: Any, **properties: str) -> DistributionResult:
    usual = {"workload": "4 KiB", "operation": "read", "target": "sdb", "tuning": "none"}
    return DistributionResult(
        usual | {"run": "1", "case": f"#{case}"} | properties, case, histogram
    )


FAST, SLOW = ([1000, 2000], [900, 100]), ([1000, 64000], [100, 900])


def test_counts_are_added_and_percentiles_taken_from_the_sum() -> None:
    (one,) = merged([result(1, FAST), result(2, SLOW)], "differing")
    assert (one.name, one.results, one.operations, one.case) == ("", 2, 2000, 1)
    assert one.at(("50", "55", "99")) == [1000, 2000, 64000]  # averages would be 32,500 at 50


def test_each_value_of_what_differs_has_a_curve() -> None:
    rows = [result(1, FAST), result(2, SLOW, tuning="bfq"), result(3, SLOW, tuning="bfq")]
    assert [(one.name, one.results) for one in merged(rows, "differing")] == [
        ("bfq", 2), ("none", 1),
    ]  # fmt: skip
    assert [one.name for one in merged(rows, "case")] == ["#1", "#2", "#3"]
    assert [one.results for one in merged(rows, "nothing")] == [3]


def test_reads_and_writes_are_never_added() -> None:
    rows = [result(1, FAST), result(1, SLOW, operation="write")]
    for by in ("differing", "nothing", "target", "run"):
        assert [one.results for one in merged(rows, by)] == [1, 1], by


def test_histograms_over_each_other_hold_all_operations_in_common_buckets() -> None:
    curves = merged([result(1, FAST), result(2, SLOW, tuning="bfq")], "tuning")
    data = histograms_chart(curves, latency="", share="")["data"]
    assert data[0]["x"] == data[1]["x"]
    for trace in data:
        assert sum(trace["y"][:-1]) == pytest.approx(100)


def test_the_axis_of_latency_has_whole_ticks() -> None:
    rng = np.random.default_rng(1)
    values, counts = np.unique(rng.lognormal(12, 1, 100_000).astype(int), return_counts=True)
    layout = curves_chart(merged([result(1, (values, counts))], "nothing"))["layout"]
    first = {text.replace(",", "").strip("0.")[:1] for text in layout["yaxis"]["ticktext"]}
    assert first <= {"1", "2", "5"}
    assert "99.999" in layout["xaxis"]["ticktext"]


@pytest.fixture
def run(owner: User) -> Run:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 32)]
    return create_measured_run(
        Setup(owner, points=points, repeats=3, histograms=True, gains={"Scheduler none": 1.3})
    )


def answer(api: Api, user: User, **query: Any) -> Any:
    found = api(user).get("/api/v1/analysis/distribution/", query)
    assert found.status_code == 200, found.json()
    return found.json()


def rows_of(data: Any) -> dict[str, Document]:
    (table,) = data["tables"]
    names = [column["key"] for column in table["columns"]]
    return {row[0]: dict(zip(names, row, strict=True)) for row in table["rows"]}


def test_the_api_says_what_the_stored_histograms_say(run: Run, api: Api, viewer: User) -> None:
    rows = rows_of(answer(api, viewer, run=run.pk, by="nothing", percentile="50, 99.95"))
    stored = list(Histogram.objects.values_list("bins", "counts"))
    assert rows["all"]["results"] == len(stored) == 12
    wanted = percentiles(*merge(stored), [50.0, 99.95, 100.0])
    assert [rows["all"][key] for key in ("p50", "p99.95", "largest")] == wanted


def test_it_is_of_any_set_of_results(run: Run, api: Api, viewer: User) -> None:
    cases = list(run.cases.order_by("sequence"))
    assert len(rows_of(answer(api, viewer, run=run.pk))) == 4
    assert set(rows_of(answer(api, viewer, run=run.pk, by="tuning"))) == {
        "Host defaults", "Scheduler none",
    }  # fmt: skip
    two = rows_of(answer(api, viewer, case=[one.pk for one in cases[:2]], by="case"))
    assert {row["results"] for row in two.values()} == {1}
    assert len(two) == 2
    one = rows_of(answer(api, viewer, workload=cases[0].workload.key, by="nothing"))
    assert one["all"]["results"] == 6


def test_without_histograms_it_says_so(owner: User, api: Api, viewer: User) -> None:
    bare = create_measured_run(Setup(owner, repeats=1))
    assert "latency histogram" in answer(api, viewer, run=bare.pk)["empty"]
    assert "Name runs" in answer(api, viewer)["empty"]


@pytest.mark.parametrize(
    ("more", "wrong"),
    [({"percentile": "half"}, "percentile"), ({"percentile": "100"}, "percentile"),
     ({"by": "colour"}, "by"), ({"run": "x"}, "run"), ({"metric": "iops"}, "metric")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(
    run: Run, api: Api, viewer: User, more: dict[str, str], wrong: str
) -> None:
    found = api(viewer).get("/api/v1/analysis/distribution/", {"run": str(run.pk)} | more)
    assert found.status_code == 400
    assert list(found.json()["error"]["fields"]) == [wrong]


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_everybody_who_is_logged_in_sees_the_page(
    run: Run, who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    seen: Client = request.getfixturevalue(who)
    page = seen.get(reverse("distribution"), {"run": run.pk})
    assert page.status_code == 200
    assert f'name="run" value="{run.pk}"' in page.content.decode()
    assert client.get(reverse("distribution"), {"run": run.pk}).status_code == 302


def test_pages_lead_to_it(run: Run, viewer_client: Client) -> None:
    case = run.cases.select_related("workload").first()
    assert case is not None
    html = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
    assert f"/analysis/distribution/?run={run.pk}&amp;workload={case.workload.key}" in html


def test_more_results_take_no_more_queries(run: Run, owner: User, api: Api, viewer: User) -> None:
    client = api(viewer)
    query = {"workload": run.cases.first().workload.key}  # type: ignore[union-attr] # there are some
    client.get("/api/v1/analysis/distribution/", query | {"operation": "read"})
    with CaptureQueriesContext(connection) as few:
        client.get("/api/v1/analysis/distribution/", query)
    create_measured_run(Setup(owner, repeats=9, histograms=True, points=[PARAMS | {"iodepth": 1}]))
    with CaptureQueriesContext(connection) as many:
        client.get("/api/v1/analysis/distribution/", query)
    assert len(many) == len(few) <= 14
