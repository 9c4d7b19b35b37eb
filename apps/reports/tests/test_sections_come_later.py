"""Pages of live reports come without answers, which are fetched one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.analysis.registry import VIEWS, AnalysisView
from apps.analysis.result import AnalysisResult, Chart, Finding
from apps.common.errors import ServiceError
from apps.reports.models import SavedReport
from apps.reports.selectors.dashboards import tile_of
from apps.reports.services import report_freeze
from apps.reports.tests.factories import create_report, create_sweep_run
from apps.runs.models import Run

pytestmark = pytest.mark.django_db

SIX = ("compare", "sweep", "table", "medians", "compare", "sweep")


@pytest.fixture
def run(owner: User) -> Run:
    return create_sweep_run(owner)


@pytest.fixture
def report(owner: User, run: Run, monkeypatch: pytest.MonkeyPatch) -> SavedReport:
    """A report of six questions on its owner's home page, whose answers cost nothing."""
    monkeypatch.setattr(AnalysisView, "analyse", fake_result)
    return create_report(owner, run, *SIX, dashboard_scope="owner")


def fake_result(view: AnalysisView, data: QueryDict) -> AnalysisResult:
    return AnalysisResult(
        view.key, f"About {view.key}", data.urlencode(), headline=(Finding(view.key),)
    )


def deferred_urls(page: str) -> list[tuple[str, str]]:
    """The addresses that a page fetches, each with the element behind which it waits."""
    found = re.findall(r'hx-get="(/reports/[^"]+)" hx-trigger="([^"]+)"', page)
    after = (re.search(r"from:#(\S+)", trigger) for _url, trigger in found)
    return [(url, one[1] if one else "") for (url, _trigger), one in zip(found, after, strict=True)]


def test_page_runs_no_analysis(
    owner_client: Client, report: SavedReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(view: AnalysisView, data: Any) -> AnalysisResult:
        raise AssertionError(f"{view.key} was analysed")

    monkeypatch.setattr(AnalysisView, "analyse", forbidden)
    page = owner_client.get(reverse("report_detail", args=[report.pk])).content.decode()
    assert "The scheduler <strong>matters</strong>." in page
    assert str(VIEWS["sweep"].title) in page
    assert reverse("report_freeze", args=[report.pk]) in page
    assert "How to read this" in page
    home = owner_client.get("/").content.decode()
    assert "The scheduler <strong>matters</strong>." in home


@pytest.mark.parametrize("name", ["section_result", "section_tile"])
def test_two_fragments_load_at_once_after_the_first(
    name: str, owner_client: Client, report: SavedReport
) -> None:
    detail = reverse("report_detail", args=[report.pk])
    page = owner_client.get(detail if name == "section_result" else "/")
    found = deferred_urls(page.content.decode())
    urls = [reverse(name, args=[report.pk, position]) for position in range(1, 7)]
    top = [reverse("report_top", args=[report.pk])] if name == "section_result" else []
    assert [url for url, _after in found] == [*top, *urls]
    stays = re.findall(
        r'<div[^>]* id="(report-top|(?:section|board)-[^"]+)"', page.content.decode()
    )
    waiting = stays[-len(found) :]
    assert [after for _url, after in found] == ["", waiting[0], *waiting[: len(found) - 2]]


def test_fragments_are_for_whoever_reads_the_report(
    owner: User,
    viewer: User,
    stranger: User,
    run: Run,
    page_client: Callable[[User], Client],
) -> None:
    report = create_report(owner, run, "compare")
    for user in (owner, viewer, stranger):
        for name in ("section_result", "section_tile"):
            url = reverse(name, args=[report.pk, 1])
            assert "Scheduler none" in page_client(user).get(url).content.decode()
    for name in ("section_result", "section_tile"):
        answer = Client().get(reverse(name, args=[report.pk, 1]))
        assert (answer.status_code, "/login/" in answer["Location"]) == (302, True)
        assert page_client(owner).get(reverse(name, args=[report.pk, 9])).status_code == 404


def test_error_of_one_section_leaves_the_others(
    owner_client: Client, report: SavedReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(view: AnalysisView, data: QueryDict) -> AnalysisResult:
        if view.key == "table":
            raise ServiceError("There is one parameter only.")
        return fake_result(view, data)

    monkeypatch.setattr(AnalysisView, "analyse", refusing)
    for name in ("section_result", "section_tile"):
        texts = [
            owner_client.get(reverse(name, args=[report.pk, position])).content.decode()
            for position in range(1, 5)
        ]
        refused = ["There is one parameter only." in text for text in texts]
        assert refused == [False, False, True, False]


def test_a_frozen_report_has_its_answers_with_it(
    owner: User, owner_client: Client, report: SavedReport
) -> None:
    report_freeze(report=report, user=owner)
    page = owner_client.get(reverse("report_detail", args=[report.pk])).content.decode()
    assert deferred_urls(page) == []
    assert "About medians" in page


@pytest.mark.parametrize(("count", "legend"), [(6, True), (7, False)])
def test_a_tile_of_many_lines_has_no_legend(
    count: int, legend: bool, report: SavedReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(view: AnalysisView, data: QueryDict) -> AnalysisResult:
        lines = [{"name": f"line {number}", "y": [1]} for number in range(count)]
        figure: Any = {"data": lines, "layout": {"xaxis": {}, "yaxis": {}}}
        return replace(fake_result(view, data), charts=(Chart("time", "x", "x", figure),))

    monkeypatch.setattr(AnalysisView, "analyse", drawn)
    chart = tile_of(report.sections.get(position=1)).chart
    assert chart is not None
    assert chart.figure["layout"].get("showlegend", True) is legend


def test_query_count_is_independent_of_the_section_count(
    owner_client: Client, report: SavedReport, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(5):
        owner_client.get(reverse("report_detail", args=[report.pk]))
    for name in ("section_result", "section_tile"):
        with django_assert_max_num_queries(4):
            owner_client.get(reverse(name, args=[report.pk, 1]))
