"""Every page, report, export and API of one run has the same headline and the same baseline."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.presenters.markdown import escaped
from apps.analysis.report.content import report_of_run
from apps.analysis.report.document import make_document
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.analysis.verdicts.headlines import headlines
from apps.reports.models import SavedReport
from apps.reports.tests.factories import create_report
from apps.runs.models import Run

pytestmark = pytest.mark.django_db
BASELINE = "Queue of 4"
"""Neither the first of the alphabet nor the host defaults."""


@pytest.fixture
def run(owner: User) -> Run:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 16)]
    names = ("Host defaults", BASELINE)
    found = create_measured_run(Setup(owner, points=points, tunings=names, gains={BASELINE: 0.8}))
    found.tunings.filter(name="Host defaults").update(is_baseline=False)
    found.tunings.filter(name=BASELINE).update(is_baseline=True)
    return found


def pages(client: Client, run: Run, report: SavedReport) -> Iterator[str]:
    """Home, run page, comparison, run report and kept report, as their fragments come."""
    for name, key in (
        ("run_headline", run.pk), ("run_findings", run.pk), ("run_report_top", run.pk),
        ("report_top", report.pk),
    ):  # fmt: skip
        yield client.get(reverse(name, args=[key])).text
    yield client.get(reverse("compare"), {"run": run.pk}).text


def test_pages_of_one_run_have_the_same_headline(
    run: Run, owner: User, viewer: User, stranger: User, page_client: Callable[[User], Client]
) -> None:
    lines = headlines(compare_runs(runs=[run.pk]))
    assert {one.baseline for line in lines for one in line.named} == {BASELINE}
    report = create_report(owner, run, "compare")
    for user in (owner, viewer, stranger):
        for page in pages(page_client(user), run, report):
            shown = html.unescape(page)
            assert [line.text in shown for line in lines] == [True] * len(lines)


def test_files_of_one_run_have_the_same_headline(run: Run) -> None:
    lines = [line.text for line in headlines(compare_runs(runs=[run.pk]))]
    report = report_of_run(run)
    assert [finding.text for finding in report.headline] == lines
    document, markdown = (make_document(report, kind).data.decode() for kind in ("html", "md"))
    assert all(line in html.unescape(document) for line in lines)
    first = report.below[0].result
    assert first is not None
    assert first.headline == (), "at the top, not above its answer again"
    assert all(escaped(line) in markdown for line in lines)


def test_api_of_one_run_has_the_same_headline_and_baseline(
    run: Run, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    lines = [line.text for line in headlines(compare_runs(runs=[run.pk]))]
    client, params = api(viewer), {"run": run.pk}
    compared = client.get("/api/v1/compare/", params).json()
    assert [line["text"] for line in compared["headline"]] == lines
    assert compared["baseline"] == BASELINE
    assert client.get(f"/api/v1/runs/{run.pk}/").json()["baseline"] == BASELINE
    answer = client.get("/api/v1/analysis/compare/", params).json()
    assert answer["headline"].split("\n") == lines
    table = client.get("/api/v1/analysis/compare/", params | {"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(table.getvalue().decode())))
    assert [row["text"] in lines for row in rows] == [True] * len(rows)
