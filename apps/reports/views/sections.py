"""Pages of report sections: add, edit, move, remove."""

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
from apps.reports.forms import SectionAddForm, SectionForm
from apps.reports.models import SavedReport
from apps.reports.selectors.reports import section_analysis
from apps.reports.services import ReportDraft, draft_of, report_create, report_update
from apps.reports.views.access import editable_report

MOVES = {"up": -1, "down": 1}


@role_required(Role.OPERATOR)
def section_add(request: HttpRequest) -> HttpResponse:
    """Add the result of `view` and `query` to a report."""
    params = QueryDict("", mutable=True)
    params.update({name: request.GET.get(name, "") for name in ("view", "query")})
    form = SectionAddForm(request.POST or None, user=user_of(request), initial=params.dict())
    result = None
    try:
        source = request.POST if request.method == "POST" else params
        result = section_analysis(source.get("view", ""), source.get("query", ""))
        if form.is_valid():
            return _save(request, form)
    except ServiceError as error:
        form.is_bound = True
        add_refusal(form, error)
    context = {"form": form, "result": result}
    return render(request, "reports/section_add.html", context, status=400 if form.errors else 200)


def _save(request: HttpRequest, form: SectionAddForm) -> HttpResponse:
    report, draft, user = form.cleaned_data["report"], form.report_draft(), user_of(request)
    if report:
        report_update(report=report, user=user, draft=draft)
    else:
        report = report_create(user=user, draft=draft)
    messages.success(request, _("Added to “{title}”.").format(title=report.title))
    return redirect("report_detail", report.pk)


@role_required(Role.OPERATOR)
def section_edit(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """Edit a section; a position after the last one adds a text."""
    report = editable_report(request, pk)
    draft = draft_of(report)
    old = draft.sections[position] if position < len(draft.sections) else None
    form = SectionForm(request.POST or None, initial=vars(old) if old else None)
    if form.is_valid():
        sections = list(draft.sections)
        sections[position : position + 1] = [form.draft()]
        try:
            changed = replace(draft, sections=sections)
            report_update(report=report, user=user_of(request), draft=changed)
            return redirect("report_edit", report.pk)
        except ServiceError as error:
            add_refusal(form, error)
    context = {"form": form, "report": report, "section": old}
    return render(request, "reports/section_form.html", context, status=400 if form.errors else 200)


@require_POST
@role_required(Role.OPERATOR)
def section_move(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """Move a section `up` or `down`; any other `to` removes it."""
    report = editable_report(request, pk)
    draft = draft_of(report)
    sections = list(draft.sections)
    if position < len(sections):
        moved = sections.pop(position)
        step = MOVES.get(request.POST.get("to", ""))
        if step is not None:
            sections.insert(max(0, position + step), moved)
        _update(request, report, replace(draft, sections=sections))
    return redirect("report_edit", report.pk)


def _update(request: HttpRequest, report: SavedReport, draft: ReportDraft) -> None:
    try:
        report_update(report=report, user=user_of(request), draft=draft)
    except ServiceError as error:
        messages.error(request, error.message)
