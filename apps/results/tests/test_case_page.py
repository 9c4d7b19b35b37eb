"""A case's page: every figure with its unit, what happened and whose fault, and the charts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

import apps.tools
from apps.accounts.models import User
from apps.results.services.attempt_results import results_store
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, AttemptState, Case, FailureCause
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.parse_result import Measurement, Output, Parsed, Series
from apps.tools.registry import TOOLS
from apps.tools.series.stalls import BOUNDS, LARGEST_OF
from apps.tools.values import Values

FDATASYNC = (
    Path(apps.tools.__file__).parent
    / "fio/tests/samples/3.33--json+-fdatasync-two-jobs/result.json"
)


@pytest.fixture
def case(owner: User) -> Case:
    return create_run(owner=owner).cases.get()


@pytest.fixture
def attempt(case: Case) -> Attempt:
    return create_results(create_attempt(case))


def page(client: Client, case: Case, query: str = "") -> str:
    answer = client.get(reverse("case_detail", args=[case.pk]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_figure_has_its_unit(attempt: Attempt, case: Case, viewer_client: Client) -> None:
    text = page(viewer_client, case)
    for figure in ("32,768 IOPS", "128.0 MiB/s (134.2 MB/s)", "900 ns", "1.500 µs", "400.0 µs"):
        assert figure in text
    for name in ("p50", "p99.9", "standard deviation", "jobs.0.iops", "123.5", "modes", "1, 2"):
        assert name in text


@pytest.mark.parametrize(
    ("values", "words"),
    [({}, "324.6 ms</span> at 12 s"), ({LARGEST_OF: BOUNDS}, "at most <span")],
)
def test_the_slowest_window_is_named(
    case: Case, viewer_client: Client, values: Values, words: str
) -> None:
    longest = Series("latency_max", (*[1e6] * 11, 324_639_775.0, 1e6))
    found = Measurement("read", 1e6, 100.0, series=[longest], values=values)
    parsed = Parsed("fio", "json+", "3.33", (found,))
    results_store(attempt=create_attempt(case), parsed=parsed, parser_version=1)
    text = page(viewer_client, case)
    assert "slowest window" in text
    assert words in " ".join(text.split())


def test_command_files_and_words_of_the_tool_are_there(
    attempt: Attempt, case: Case, viewer_client: Client
) -> None:
    text = page(viewer_client, case)
    assert "fio --name=benchlab &#x27;--filename=/dev/loop 7&#x27;" in text
    assert "fio: a warning" in text
    for file in attempt.artifacts.all():
        assert file.sha256 in text
        assert reverse("artifact_download", args=[case.pk, 1, file.name]) in text


def test_an_invalid_result_says_why(case: Case, viewer_client: Client) -> None:
    why = "a setting did not keep its value during the run: scheduler"
    create_results(create_attempt(case, valid=False, invalid_reason=why), invalid_reason=why)
    text = page(viewer_client, case)
    assert "left out of every comparison" in text
    assert why in text
    assert "32,768 IOPS" in text


@pytest.mark.parametrize(
    ("failure_cause", "whose", "todo"),
    [
        (FailureCause.PLAN, "test plan", "Change the plan"),
        (FailureCause.HOST, "host", "Repair the host"),
        (FailureCause.TOOL, "tool", "Read the stderr below"),
        (FailureCause.BENCHLAB, "benchlab", "the worker&#x27;s log has details"),
    ],
)
def test_a_failure_says_whose_fault_and_what_to_do(
    failure_cause: FailureCause, whose: str, todo: str, case: Case, viewer_client: Client
) -> None:
    create_attempt(case, state=AttemptState.FAILED, reason="it broke", failure_cause=failure_cause)
    text = page(viewer_client, case)
    assert "it broke" in text
    assert whose in text
    assert todo in text


def test_an_earlier_attempt_can_be_looked_at(case: Case, viewer_client: Client) -> None:
    create_attempt(case, state=AttemptState.FAILED, reason="the first broke")
    create_results(create_attempt(case))
    assert "32,768 IOPS" in page(viewer_client, case)
    first = page(viewer_client, case, "?attempt=1")
    assert "32,768 IOPS" not in first
    assert "the first broke" in first
    assert "32,768 IOPS" in page(viewer_client, case, "?attempt=99")


def test_what_became_of_a_setting_is_shown(case: Case, viewer_client: Client) -> None:
    told = {
        "applied": [{"name": "scheduler", "value": "bfq"}],
        "changed": [{"name": "scheduler", "expected": "bfq", "actual": "kyber"}],
        "restored": [{"name": "scheduler", "value": "none"}],
    }
    spec = {"tuning": [{"name": "scheduler", "value": "bfq"}]}
    create_attempt(case, exit={"tuning": told}, spec=spec)
    text = page(viewer_client, case)
    assert "kyber" in text
    assert "did not keep its value" in text


def test_a_case_that_waits_has_a_page(case: Case, viewer_client: Client) -> None:
    assert "Waits for its turn." in page(viewer_client, case)


def test_polling_ends_with_the_case(case: Case, viewer_client: Client) -> None:
    address = reverse("case_body", args=[case.pk])
    assert viewer_client.get(address).status_code == 200
    create_results(create_attempt(case))
    assert viewer_client.get(address).status_code == 286


def test_everybody_logged_in_and_nobody_else(
    attempt: Attempt, case: Case, stranger_client: Client, client: Client
) -> None:
    addresses = [
        reverse("case_detail", args=[case.pk]),
        reverse("case_body", args=[case.pk]),
        reverse("case_figure", args=[case.pk, 1, "time"]),
    ]
    for address in addresses:
        assert stranger_client.get(address).status_code in (200, 286)
        assert client.get(address).status_code == 302
        assert stranger_client.post(address).status_code == 405


def test_the_page_costs_few_queries(
    attempt: Attempt, case: Case, viewer_client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    with django_assert_max_num_queries(15):
        page(viewer_client, case)


def figure(client: Client, case: Case, kind: str, **query: str) -> Any:
    answer = client.get(reverse("case_figure", args=[case.pk, 1, kind]), query)
    assert answer.status_code == 200
    return answer.json()


def test_the_charts_are_json(attempt: Attempt, case: Case, viewer_client: Client) -> None:
    assert figure(viewer_client, case, "percentiles")["data"][0]["name"] == "read"
    histogram = figure(viewer_client, case, "histogram", operation="read")
    assert sum(histogram["data"][0]["y"][:-1]) == pytest.approx(100)
    over_time = figure(viewer_client, case, "time")
    assert {trace["name"] for trace in over_time["data"]} == {"read", "loop7"}
    assert (over_time["shown"], over_time["total"]) == (40, 40)


def test_a_zoom_fetches_its_window(attempt: Attempt, case: Case, viewer_client: Client) -> None:
    zoomed = figure(viewer_client, case, "time", **{"from": "2", "to": "5.0"})
    assert zoomed["data"][0]["x"] == [3.0, 4.0, 5.0]
    assert zoomed["total"] == 12


@pytest.mark.parametrize("value", ["nan", "inf", "x", ""])
def test_a_window_that_is_none_is_refused(
    value: str, attempt: Attempt, case: Case, viewer_client: Client
) -> None:
    address = reverse("case_figure", args=[case.pk, 1, "time"])
    assert viewer_client.get(address, {"from": value}).status_code == 400


@pytest.mark.parametrize("kind", ["histogram", "pie"])
def test_a_chart_that_is_not_there_is_not_found(
    kind: str, attempt: Attempt, case: Case, viewer_client: Client
) -> None:
    address = reverse("case_figure", args=[case.pk, 1, kind])
    assert viewer_client.get(address, {"operation": "write"}).status_code == 404


def test_the_runs_table_shows_the_key_figures(
    attempt: Attempt, case: Case, viewer_client: Client
) -> None:
    text = viewer_client.get(reverse("run_detail", args=[case.run_id])).content.decode()
    for shown in ("32,768 IOPS", "128.0 MiB/s", "2.000 µs"):
        assert shown in text


def test_case_page_shows_syncs_with_writes(case: Case, viewer_client: Client) -> None:
    attempt = create_attempt(case)
    parsed = TOOLS["fio"].parse(Output({"stdout": FDATASYNC.read_bytes(), "stderr": b""}))
    results_store(attempt=attempt, parsed=parsed, parser_version=1)
    text = page(viewer_client, case)
    assert text.index('<th class="num">write</th>') < text.index('<th class="num">sync</th>')
    for figure in ("918.0 IOPS", "5.341 ms", "5.322 ms"):
        assert figure in text
    url = reverse("case_figure", args=[case.pk, attempt.number, "histogram"])
    assert viewer_client.get(url, {"operation": "sync"}).status_code == 200


def test_wear_at_the_end_of_the_test_is_shown(case: Case, viewer_client: Client) -> None:
    identity = case.members[0].identity
    create_attempt(case, exit={"smart": {identity: {"used": 7, "by": "percentage_used"}}})
    assert "7 % used (percentage_used)" in page(viewer_client, case)
