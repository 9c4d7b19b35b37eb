"""Pages of reports: list, detail, form, copy, freeze, delete."""

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
from apps.common.web.lists import list_page
from apps.reports import services
from apps.reports.filters import REPORT_COLUMNS, ReportFilter
from apps.reports.forms import ReportForm, ShareLinkForm
from apps.reports.models import SavedReport
from apps.reports.selectors.deferred_page import report_page
from apps.reports.selectors.reports import named_sections, rendered, reports_visible
from apps.reports.views.access import editable_report


@require_safe
@login_required
def report_list(request: HttpRequest) -> HttpResponse:
    reports = ReportFilter(request.GET, queryset=reports_visible())
    page = list_page(reports.qs, request, REPORT_COLUMNS)
    return render(request, "reports/report_list.html", {"filter": reports, "page": page})


@require_safe
@login_required
def report_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the report, whose live results follow as fragments; with `?format=` as a file."""
    report = get_object_or_404(reports_visible(), pk=pk)
    file_format = request.GET.get("format", "")
    if file_format:
        return _file(request, report, file_format)
    editable = report.is_editable(user_of(request))
    context = {
        "report": report,
        "report_page": report_page(report),
        "formats": [(key, name) for key, name in NAMES.items() if key != "pdf" or chromium()],
        "editable": editable,
        "share_form": ShareLinkForm() if editable else None,
        "shares": list(report.shares.select_related("created_by")) if editable else [],
    }
    return render(request, "reports/report_detail.html", context)


def _file(request: HttpRequest, report: SavedReport, file_format: str) -> HttpResponse:
    try:
        paper = request.GET.get("paper", "A4")
        file = document.make_document(rendered(report), file_format, paper)
    except ServiceError as error:
        text = "; ".join([error.message, *map(str, error.fields.values())])
        return HttpResponse(text, status=error.status, content_type="text/plain; charset=utf-8")
    return attached(file.data, file.name, file.media_type)


@role_required(Role.OPERATOR)
def report_new(request: HttpRequest) -> HttpResponse:
    form = ReportForm(request.POST or None, user=user_of(request))
    report = made(
        form, lambda: services.report_create(user=user_of(request), draft=form.draft(None))
    )
    if report:
        return redirect("report_edit", report.pk)
    return _form_page(request, form, None)


@role_required(Role.OPERATOR)
def report_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit title, text and dashboard scope; lists the sections."""
    report = editable_report(request, pk)
    before = services.draft_of(report)
    form = ReportForm(request.POST or None, user=user_of(request), report=report)
    user = user_of(request)
    if made(
        form, lambda: services.report_update(report=report, user=user, draft=form.draft(before))
    ):
        return redirect("report_detail", report.pk)
    return _form_page(request, form, report)


def _form_page(request: HttpRequest, form: ReportForm, report: SavedReport | None) -> HttpResponse:
    rows = named_sections(report.sections.all()) if report else ()
    context = {"form": form, "report": report, "sections": rows}
    return render(request, "reports/report_form.html", context, status=400 if form.errors else 200)


@require_POST
@role_required(Role.OPERATOR)
def report_clone(request: HttpRequest, pk: int) -> HttpResponse:
    copy = services.report_copy(report=get_object_or_404(SavedReport, pk=pk), user=user_of(request))
    messages.success(request, _("The report is copied."))
    return redirect("report_edit", copy.pk)


@require_POST
@role_required(Role.OPERATOR)
def report_freeze(request: HttpRequest, pk: int) -> HttpResponse:
    report = editable_report(request, pk)
    try:
        services.report_freeze(report=report, user=user_of(request))
        messages.success(request, _("The report is frozen with its present results."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("report_detail", report.pk)


@require_POST
@role_required(Role.OPERATOR)
def report_remove(request: HttpRequest, pk: int) -> HttpResponse:
    report = editable_report(request, pk)
    services.report_delete(report=report, user=user_of(request))
    messages.success(request, _("The report is deleted; the results stay."))
    return redirect("report_list")
