"""Frozen reports keep their answers, whatever is measured or deleted later."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.registry import VIEWS
from apps.analysis.result import AnalysisResult
from apps.common.errors import ServiceError
from apps.reports.models import SavedReport
from apps.reports.selectors.reports import rendered
from apps.reports.services import ReportDraft, draft_of, report_copy, report_freeze, report_update
from apps.reports.tests.factories import create_report, create_sweep_run
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(owner: User) -> Run:
    return create_sweep_run(owner)


@pytest.mark.parametrize("view", [view for view in VIEWS if view not in ("history", "fleet")])
def test_frozen_result_equals_live_result(owner: User, run: Run, view: str) -> None:
    report = create_report(owner, run, view)
    live = rendered(report).results
    report_freeze(report=report, user=owner)
    assert frozen_results(report) == live


def frozen_results(report: SavedReport) -> tuple[AnalysisResult, ...]:
    """The answers of a frozen report, without their conditions, which live ones do not hold."""
    found = rendered(SavedReport.objects.get(pk=report.pk)).results
    return tuple(replace(answer, conditions=()) for answer in found)


def test_conditions_stay_as_they_were(owner: User, run: Run) -> None:
    report = create_report(owner, run)
    live = rendered(report).conditions
    report_freeze(report=report, user=owner)
    Attempt.objects.filter(case__run=run).update(tool_version="fio-9.9")
    summaries_rebuild()
    assert live
    assert rendered(SavedReport.objects.get(pk=report.pk)).conditions == live


def test_figures_stay_as_they_were(owner: User, viewer_client: Client, run: Run) -> None:
    report = create_report(owner, run)
    live = rendered(report).results
    report_freeze(report=report, user=owner)
    Measurement.objects.filter(case__run=run).update(iops=1.0)
    summaries_rebuild()
    assert frozen_results(report) == live
    page = viewer_client.get(reverse("report_detail", args=[report.pk])).content.decode()
    assert "Figures as of" in page


def test_frozen_report_rejects_changes(owner: User, owner_client: Client, run: Run) -> None:
    report = report_freeze(report=create_report(owner, run), user=owner)
    for draft in (ReportDraft("Another"), ReportDraft(report.title, "Another")):
        with pytest.raises(ServiceError, match="frozen"):
            report_update(report=report, user=owner, draft=draft)
    owner_client.post(reverse("section_move", args=[report.pk, 0]), {"to": "out"})
    assert report.sections.count() == 3
    with pytest.raises(ServiceError, match="already"):
        report_freeze(report=report, user=owner)


def test_frozen_report_can_change_scope(owner: User, owner_client: Client, run: Run) -> None:
    report = report_freeze(report=create_report(owner, run), user=owner)
    same = {"title": report.title, "text": report.text, "dashboard_scope": "owner"}
    assert owner_client.post(reverse("report_edit", args=[report.pk]), same).status_code == 302
    report.refresh_from_db()
    assert report.dashboard_scope == "owner"
    assert rendered(report).results


def test_a_copy_is_live(owner: User, stranger: User, run: Run) -> None:
    report = report_freeze(report=create_report(owner, run), user=owner)
    copy = report_copy(report=report, user=stranger)
    assert (copy.owner, copy.frozen_at) == (stranger, None)
    assert draft_of(copy).sections == draft_of(report).sections
    assert not copy.sections.exclude(frozen_result=None).exists()
