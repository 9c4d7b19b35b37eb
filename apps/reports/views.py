"""Pages of reports: the list, one report, what it says, and where answers are kept."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_editable, role_required
from apps.analysis.report.document import NAMES, made
from apps.analysis.report.pdf import chromium
from apps.common.errors import Refused
from apps.common.forms import add_refusal
from apps.common.pagination import keyset
from apps.common.web.downloads import attached

from .dashboards import tiles_of
from .filters import ReportFilter
from .forms import KeepForm, ReportForm, SectionForm, ShareForm
from .models import SavedReport
from .selectors import answer_of, dashboards_of, named, rendered, reports_visible
from .services import (
    ReportDraft,
    draft_of,
    report_copy,
    report_create,
    report_delete,
    report_freeze,
    report_update,
)

MOVES = {"up": -1, "down": 1}


@require_safe
@login_required
def report_list(request: HttpRequest) -> HttpResponse:
    found = ReportFilter(request.GET, queryset=reports_visible())
    page = keyset(found.qs, request, order="-pk")
    return render(request, "reports/report_list.html", {"filter": found, "page": page})


@require_safe
@login_required
def report_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The report; with `?format=` as a file."""
    report = get_object_or_404(reports_visible(), pk=pk)
    wanted = request.GET.get("format", "")
    if wanted:
        return _file(request, report, wanted)
    editable = report.is_editable(_user(request))
    context = {
        "report": report,
        "content": rendered(report),
        "formats": [(key, name) for key, name in NAMES.items() if key != "pdf" or chromium()],
        "editable": editable,
        "share_form": ShareForm() if editable else None,
        "shares": report.shares.select_related("made_by") if editable else (),
    }
    return render(request, "reports/report_detail.html", context)


def _file(request: HttpRequest, report: SavedReport, wanted: str) -> HttpResponse:
    try:
        found = made(rendered(report), wanted, request.GET.get("paper", "A4"))
    except Refused as refused:
        words = "; ".join([refused.message, *map(str, refused.fields.values())])
        return HttpResponse(words, status=refused.status, content_type="text/plain; charset=utf-8")
    return attached(found.data, found.name, found.media_type)


@require_safe
@login_required
def dashboards(request: HttpRequest) -> HttpResponse:
    """The fragment of the home page: the reports that stand on it."""
    shown = [(report, list(tiles_of(report))) for report in dashboards_of(_user(request))]
    return render(request, "reports/dashboards.html", {"shown": shown})


@role_required(Role.OPERATOR)
def report_new(request: HttpRequest) -> HttpResponse:
    form = ReportForm(request.POST or None, user=_user(request))
    if form.is_valid():
        try:
            report = report_create(user=_user(request), draft=form.draft(None))
            return redirect("report_edit", report.pk)
        except Refused as refused:
            form.add_refusal(refused)
    return _form_page(request, form, None)


@role_required(Role.OPERATOR)
def report_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Title, text and place of a report, and the order of its sections."""
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, _user(request))
    before = draft_of(report)
    form = ReportForm(request.POST or None, user=_user(request), report=report)
    if form.is_valid():
        try:
            report_update(report=report, user=_user(request), draft=form.draft(before))
            return redirect("report_detail", report.pk)
        except Refused as refused:
            form.add_refusal(refused)
    return _form_page(request, form, report)


def _form_page(request: HttpRequest, form: ReportForm, report: SavedReport | None) -> HttpResponse:
    rows = named(report.sections.all()) if report else ()
    context = {"form": form, "report": report, "sections": rows}
    return render(request, "reports/report_form.html", context, status=400 if form.errors else 200)


@role_required(Role.OPERATOR)
def section_keep(request: HttpRequest) -> HttpResponse:
    """Keep the answer that a page shows: `view` and `query` say which."""
    asked = QueryDict("", mutable=True)
    asked.update({name: request.GET.get(name, "") for name in ("view", "query")})
    form = KeepForm(request.POST or None, user=_user(request), initial=asked.dict())
    answer = None
    try:
        source = request.POST if request.method == "POST" else asked
        answer = answer_of(source.get("view", ""), source.get("query", ""))
        if form.is_valid():
            return _keep(request, form)
    except Refused as refused:
        form.is_bound = True
        add_refusal(form, refused)
    context = {"form": form, "answer": answer}
    return render(request, "reports/section_keep.html", context, status=400 if form.errors else 200)


def _keep(request: HttpRequest, form: KeepForm) -> HttpResponse:
    report, draft, user = form.cleaned_data["report"], form.report_draft(), _user(request)
    if report:
        report_update(report=report, user=user, draft=draft)
    else:
        report = report_create(user=user, draft=draft)
    messages.success(request, _("Kept in “{title}”.").format(title=report.title))
    return redirect("report_detail", report.pk)


@role_required(Role.OPERATOR)
def section_edit(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """The words of one section; a place behind the last one is a new text."""
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, _user(request))
    draft = draft_of(report)
    old = draft.sections[place] if place < len(draft.sections) else None
    form = SectionForm(request.POST or None, initial=vars(old) if old else None)
    if form.is_valid():
        sections = list(draft.sections)
        sections[place : place + 1] = [form.draft()]
        try:
            changed = replace(draft, sections=sections)
            report_update(report=report, user=_user(request), draft=changed)
            return redirect("report_edit", report.pk)
        except Refused as refused:
            add_refusal(form, refused)
    context = {"form": form, "report": report, "section": old}
    return render(request, "reports/section_form.html", context, status=400 if form.errors else 200)


@require_POST
@role_required(Role.OPERATOR)
def section_move(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """Move a section `up` or `down`, or take it out."""
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, _user(request))
    draft = draft_of(report)
    sections = list(draft.sections)
    if place < len(sections):
        moved = sections.pop(place)
        step = MOVES.get(request.POST.get("to", ""))
        if step is not None:
            sections.insert(max(0, place + step), moved)
        _apply(request, report, replace(draft, sections=sections))
    return redirect("report_edit", report.pk)


def _apply(request: HttpRequest, report: SavedReport, draft: ReportDraft) -> None:
    try:
        report_update(report=report, user=_user(request), draft=draft)
    except Refused as refused:
        messages.error(request, refused.message)


@require_POST
@role_required(Role.OPERATOR)
def report_clone(request: HttpRequest, pk: int) -> HttpResponse:
    copy = report_copy(report=get_object_or_404(SavedReport, pk=pk), user=_user(request))
    messages.success(request, _("This is your copy."))
    return redirect("report_edit", copy.pk)


@require_POST
@role_required(Role.OPERATOR)
def report_keep_figures(request: HttpRequest, pk: int) -> HttpResponse:
    """Freeze a report."""
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, _user(request))
    try:
        report_freeze(report=report, user=_user(request))
        messages.success(request, _("Frozen: it shows these figures for good."))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("report_detail", report.pk)


@require_POST
@role_required(Role.OPERATOR)
def report_remove(request: HttpRequest, pk: int) -> HttpResponse:
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, _user(request))
    report_delete(report=report, user=_user(request))
    messages.success(request, _("The report is deleted; the results stay."))
    return redirect("report_list")


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # LoginRequiredMiddleware let nobody else in
    return request.user
