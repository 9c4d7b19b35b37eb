"""Save a run's report as a report of the user."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.analysis.report.content import report_of_run
from apps.common.errors import ServiceError
from apps.reports.selectors.reports import live_report_of_user
from apps.reports.services import ReportDraft, SectionDraft, report_create
from apps.runs.models import Run


@require_POST
@role_required(Role.OPERATOR)
def run_report_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the user's report with the sections of a run's report; create it if there is none."""
    run, user = get_object_or_404(Run, pk=pk), user_of(request)
    try:
        run_report = report_of_run(run)
        sections = tuple(
            SectionDraft(part.title, "", part.result.view, part.result.query)
            for part in run_report.parts
            if part.result is not None
        )
        title = run_report.title[:120].strip()
        report = live_report_of_user(user, title, {(one.view, one.query) for one in sections})
        if report is None:
            draft = ReportDraft(title, run.note, sections=sections)
            report = report_create(user=user, draft=draft)
            messages.success(request, _("Saved as a report of yours."))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("run_detail", pk)
    return redirect(f"{reverse('report_detail', args=[report.pk])}?share=1")
