"""Reports for tests."""

from __future__ import annotations

from apps.accounts.models import Team, User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.reports.models import SavedReport
from apps.reports.services import ReportDraft, SectionDraft, report_create
from apps.runs.models import Run


def create_sweep_run(owner: User) -> Run:
    """A run of three depths under two tunings, one of which is 30 % better."""
    points = [PARAMS | {"iodepth": depth} for depth in (1, 4, 16)]
    return create_measured_run(Setup(owner, points=points, gains={"Scheduler none": 1.3}))


def create_report(
    owner: User,
    run: Run,
    *views: str,
    title: str = "Findings",
    dashboard_scope: str = "",
    team: Team | None = None,
) -> SavedReport:
    """A report with a text, then these views of a run (else comparison and sweep)."""
    words = SectionDraft("Summary", "The scheduler **matters**.")
    sections = [
        SectionDraft(view=view, query=f"run={run.pk}") for view in views or ("compare", "sweep")
    ]
    draft = ReportDraft(title, "Read this first.", dashboard_scope, team, (words, *sections))
    return report_create(user=owner, draft=draft)
