"""Several tests over each other, from the start of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.timeseries.analysis import MAX_TESTS
from apps.results.models import Series
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, Run
from apps.tools import parse_result

Api = Callable[[User | None], APIClient]


@pytest.fixture
def run(owner: User) -> Run:
    """Two tunings, two repeats, ten seconds each; the values begin with the test's place."""
    found = create_measured_run(Setup(owner, repeats=2))
    for attempt in Attempt.objects.filter(case__run=found).select_related("case"):
        values = tuple(100.0 * attempt.case.sequence + second for second in range(10))
        series_store(
            attempt=attempt, source=Series.Source.TOOL, subject="read",
            series=[parse_result.Series("iops", values)],
        )  # fmt: skip
        series_store(
            attempt=attempt, source=Series.Source.DEVICE, subject="sdb",
            series=[parse_result.Series("utilisation", tuple(range(10)))],
        )  # fmt: skip
    return found


def answer(api: Api, user: User, **query: Any) -> Any:
    found = api(user).get("/api/v1/analysis/timeseries/", query)
    assert found.status_code == 200, found.json()
    return found.json()


def test_each_test_has_a_line_in_each_panel(run: Run, api: Api, viewer: User) -> None:
    data = answer(api, viewer, run=run.pk)
    traces = data["figures"][0]["figure"]["data"]
    assert len(traces) == 8
    assert {trace["yaxis"] for trace in traces} == {"y", "y2"}
    for case in run.cases.all():
        own = [one for one in traces if f"#{case.pk} read" in one["name"]]
        assert [one["y"] for one in own] == [[100.0 * case.sequence + n for n in range(10)]]
        assert own[0]["name"].startswith(case.tuning_name)
    rates, busy = data["tables"]
    assert [table["title"] for table in (rates, busy)] == [
        "IOPS: minimum, mean and maximum", "Device utilisation: minimum, mean and maximum",
    ]  # fmt: skip
    for table in (rates, busy):
        assert set(table["cases"]) == set(run.cases.values_list("pk", flat=True))
    assert [column["unit"] for column in busy["columns"][2:]] == ["%"] * 4
    assert busy["rows"][0][1:5] == ["sdb", 0.0, 4.5, 9.0]


def test_a_series_without_a_value_has_no_panel(run: Run, api: Api, viewer: User) -> None:
    attempt = Attempt.objects.filter(case__run=run).first()
    assert attempt is not None
    series_store(
        attempt=attempt, source=Series.Source.DEVICE, subject="sdb",
        series=[parse_result.Series("write_await", (None,) * 10)],
    )  # fmt: skip
    data = answer(api, viewer, case=attempt.case_id)
    assert len(data["figures"][0]["figure"]["data"]) == 2


def test_a_window_has_its_samples_alone(run: Run, api: Api, viewer: User) -> None:
    case = run.cases.order_by("sequence").first()
    assert case is not None
    data = answer(api, viewer, case=case.pk, start="3", end="6")
    (rates, _device) = data["figures"][0]["figure"]["data"]
    assert rates["x"] == [4.0, 5.0, 6.0]
    assert rates["y"] == [3.0, 4.0, 5.0]
    backwards = {"case": str(case.pk), "start": "6", "end": "3"}
    wrong = api(viewer).get("/api/v1/analysis/timeseries/", backwards)
    assert wrong.status_code == 400


def test_of_many_the_newest_are_drawn(owner: User, api: Api, viewer: User) -> None:
    found = create_measured_run(Setup(owner, repeats=5))
    for attempt in Attempt.objects.filter(case__run=found):
        rates = parse_result.Series("iops", (1.0, 2.0))
        series_store(attempt=attempt, source=Series.Source.TOOL, subject="read", series=[rates])
    data = answer(api, viewer, run=found.pk)
    assert len(data["figures"][0]["figure"]["data"]) == MAX_TESTS
    newest = found.cases.order_by("-sequence")[:MAX_TESTS]
    assert set(data["tables"][0]["cases"]) == {case.pk for case in newest}
    assert data["notes"]


def test_it_says_why_there_is_nothing(owner: User, api: Api, viewer: User) -> None:
    bare = create_measured_run(Setup(owner, repeats=1))
    assert "over time" in answer(api, viewer, run=bare.pk)["empty"]
    assert "Name runs" in answer(api, viewer)["empty"]


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_everybody_who_is_logged_in_sees_the_page(
    run: Run, who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    seen: Client = request.getfixturevalue(who)
    page = seen.get(reverse("timeseries"), {"run": run.pk})
    assert page.status_code == 200
    assert "4 tests over each other" in page.content.decode()
    assert client.get(reverse("timeseries"), {"run": run.pk}).status_code == 302


def test_pages_lead_to_it(run: Run, viewer_client: Client) -> None:
    case = run.cases.select_related("workload").first()
    assert case is not None
    html = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
    assert f"/analysis/timeseries/?run={run.pk}&amp;workload={case.workload.key}" in html
