"""Pages of reports: the list, one report, its form, and what is done with the whole of it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.analysis.report import document
from apps.analysis.report.document import NAMES
from apps.analysis.report.pdf import chromium
from apps.common.errors import ServiceError
from apps.common.forms import made
from apps.common.web.downloads import attached
from apps.common.web.pagination import keyset
from apps.reports.filters import ReportFilter
from apps.reports.forms import ReportForm, ShareForm
from apps.reports.models import SavedReport
from apps.reports.selectors.deferred_page import report_page
from apps.reports.selectors.reports import named, rendered, reports_visible
from apps.reports.services import (
    draft_of,
    report_copy,
    report_create,
    report_delete,
    report_freeze,
    report_update,
)
from apps.reports.views.access import editable_report


@require_safe
@login_required
def report_list(request: HttpRequest) -> HttpResponse:
    found = ReportFilter(request.GET, queryset=reports_visible())
    page = keyset(found.qs, request, order="-pk")
    return render(request, "reports/report_list.html", {"filter": found, "page": page})


@require_safe
@login_required
def report_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The report, whose live answers are fetched one by one; with `?format=` as a file."""
    report = get_object_or_404(reports_visible(), pk=pk)
    wanted = request.GET.get("format", "")
    if wanted:
        return _file(request, report, wanted)
    editable = report.is_editable(user_of(request))
    context = {
        "report": report,
        "frame": report_page(report),
        "formats": [(key, name) for key, name in NAMES.items() if key != "pdf" or chromium()],
        "editable": editable,
        "share_form": ShareForm() if editable else None,
        "shares": report.shares.select_related("made_by") if editable else (),
    }
    return render(request, "reports/report_detail.html", context)


def _file(request: HttpRequest, report: SavedReport, wanted: str) -> HttpResponse:
    try:
        found = document.make_document(rendered(report), wanted, request.GET.get("paper", "A4"))
    except ServiceError as refused:
        words = "; ".join([refused.message, *map(str, refused.fields.values())])
        return HttpResponse(words, status=refused.status, content_type="text/plain; charset=utf-8")
    return attached(found.data, found.name, found.media_type)


@role_required(Role.OPERATOR)
def report_new(request: HttpRequest) -> HttpResponse:
    form = ReportForm(request.POST or None, user=user_of(request))
    report = made(form, lambda: report_create(user=user_of(request), draft=form.draft(None)))
    if report:
        return redirect("report_edit", report.pk)
    return _form_page(request, form, None)


@role_required(Role.OPERATOR)
def report_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Title, text and place of a report, and the order of its sections."""
    report = editable_report(request, pk)
    before = draft_of(report)
    form = ReportForm(request.POST or None, user=user_of(request), report=report)
    user = user_of(request)
    if made(form, lambda: report_update(report=report, user=user, draft=form.draft(before))):
        return redirect("report_detail", report.pk)
    return _form_page(request, form, report)


def _form_page(request: HttpRequest, form: ReportForm, report: SavedReport | None) -> HttpResponse:
    rows = named(report.sections.all()) if report else ()
    context = {"form": form, "report": report, "sections": rows}
    return render(request, "reports/report_form.html", context, status=400 if form.errors else 200)


@require_POST
@role_required(Role.OPERATOR)
def report_clone(request: HttpRequest, pk: int) -> HttpResponse:
    copy = report_copy(report=get_object_or_404(SavedReport, pk=pk), user=user_of(request))
    messages.success(request, _("This is your copy."))
    return redirect("report_edit", copy.pk)


@require_POST
@role_required(Role.OPERATOR)
def report_keep_figures(request: HttpRequest, pk: int) -> HttpResponse:
    """Freeze a report."""
    report = editable_report(request, pk)
    try:
        report_freeze(report=report, user=user_of(request))
        messages.success(request, _("Frozen: it shows these figures for good."))
    except ServiceError as refused:
        messages.error(request, refused.message)
    return redirect("report_detail", report.pk)


@require_POST
@role_required(Role.OPERATOR)
def report_remove(request: HttpRequest, pk: int) -> HttpResponse:
    report = editable_report(request, pk)
    report_delete(report=report, user=user_of(request))
    messages.success(request, _("The report is deleted; the results stay."))
    return redirect("report_list")
