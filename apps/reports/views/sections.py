"""Pages of a report's sections: keeping an answer, the words of one, its place."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.errors import ServiceError
from apps.common.forms import add_refusal
from apps.reports.forms import KeepForm, SectionForm
from apps.reports.models import SavedReport
from apps.reports.selectors.reports import answer_of
from apps.reports.services import ReportDraft, draft_of, report_create, report_update
from apps.reports.views.access import editable_report

MOVES = {"up": -1, "down": 1}


@role_required(Role.OPERATOR)
def section_keep(request: HttpRequest) -> HttpResponse:
    """Keep the answer that a page shows: `view` and `query` say which."""
    asked = QueryDict("", mutable=True)
    asked.update({name: request.GET.get(name, "") for name in ("view", "query")})
    form = KeepForm(request.POST or None, user=user_of(request), initial=asked.dict())
    answer = None
    try:
        source = request.POST if request.method == "POST" else asked
        answer = answer_of(source.get("view", ""), source.get("query", ""))
        if form.is_valid():
            return _keep(request, form)
    except ServiceError as refused:
        form.is_bound = True
        add_refusal(form, refused)
    context = {"form": form, "result": answer}
    return render(request, "reports/section_keep.html", context, status=400 if form.errors else 200)


def _keep(request: HttpRequest, form: KeepForm) -> HttpResponse:
    report, draft, user = form.cleaned_data["report"], form.report_draft(), user_of(request)
    if report:
        report_update(report=report, user=user, draft=draft)
    else:
        report = report_create(user=user, draft=draft)
    messages.success(request, _("Kept in “{title}”.").format(title=report.title))
    return redirect("report_detail", report.pk)


@role_required(Role.OPERATOR)
def section_edit(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """The words of one section; a place behind the last one is a new text."""
    report = editable_report(request, pk)
    draft = draft_of(report)
    old = draft.sections[place] if place < len(draft.sections) else None
    form = SectionForm(request.POST or None, initial=vars(old) if old else None)
    if form.is_valid():
        sections = list(draft.sections)
        sections[place : place + 1] = [form.draft()]
        try:
            changed = replace(draft, sections=sections)
            report_update(report=report, user=user_of(request), draft=changed)
            return redirect("report_edit", report.pk)
        except ServiceError as refused:
            add_refusal(form, refused)
    context = {"form": form, "report": report, "section": old}
    return render(request, "reports/section_form.html", context, status=400 if form.errors else 200)


@require_POST
@role_required(Role.OPERATOR)
def section_move(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """Move a section `up` or `down`, or take it out."""
    report = editable_report(request, pk)
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
        report_update(report=report, user=user_of(request), draft=draft)
    except ServiceError as refused:
        messages.error(request, refused.message)
