"""Save a run's report as a report of the user."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.analysis.report.content import report_of_run
from apps.common.errors import ServiceError
from apps.reports.services import ReportDraft, SectionDraft, report_create
from apps.runs.models import Run


@require_POST
@role_required(Role.OPERATOR)
def run_report_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a report with the sections of a run's report."""
    run = get_object_or_404(Run, pk=pk)
    try:
        run_report = report_of_run(run)
        sections = tuple(
            SectionDraft(part.title, "", part.result.view, part.result.query)
            for part in run_report.parts
            if part.result is not None
        )
        draft = ReportDraft(run_report.title[:120], run.note, sections=sections)
        report = report_create(user=user_of(request), draft=draft)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("run_detail", pk)
    messages.success(request, _("Saved as a report of yours. Make a link for others below."))
    return redirect("report_detail", report.pk)
