"""Acceptances: list, start with its cost, detail, sheets of disks."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.acceptance.filters import ACCEPTANCE_COLUMNS, AcceptanceFilter
from apps.acceptance.forms import AcceptanceForm
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.presenters import (
    disk_rows,
    finding_rows,
    lot_csv,
    outcome_text,
    sheet_data,
)
from apps.acceptance.selectors.acceptances import (
    acceptance_cost,
    acceptances_visible,
    accepted_disks,
)
from apps.acceptance.services.acceptances import (
    acceptance_cancel,
    acceptance_decide,
    acceptance_delete,
    acceptance_start,
)
from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.analysis.report.pdf import chromium, pdf_of
from apps.common.domain.keys import parse_key
from apps.common.errors import ServiceError
from apps.common.forms import add_refusal
from apps.common.web.lists import list_page
from apps.inventory.presenters import lab_tabs


@require_safe
@login_required
def acceptance_list(request: HttpRequest) -> HttpResponse:
    result = AcceptanceFilter(request.GET, queryset=acceptances_visible())
    page = list_page(result.qs, request, ACCEPTANCE_COLUMNS)
    context = {"filter": result, "page": page, "tabs": lab_tabs()}
    return render(request, "acceptance/acceptance_list.html", context)


@role_required(Role.DISK_OWNER)
@fresh_login_required()
def acceptance_new(request: HttpRequest) -> HttpResponse:
    """Show the cost, or start. `?disk=` chooses disks beforehand."""
    user = user_of(request)
    chosen = [key for text in request.GET.getlist("disk") if (key := parse_key(text))]
    form = AcceptanceForm(request.POST or None, user=user, initial={"disks": chosen})
    cost, costed = None, []
    if form.is_valid():
        draft = form.draft()
        cost = acceptance_cost(draft.disks, draft.profile)
        costed = list(zip(draft.disks, cost.disks, strict=True))
        if "start" in request.POST:
            try:
                row = acceptance_start(user=user, draft=draft)
            except ServiceError as refused:
                add_refusal(form, refused)
            else:
                messages.success(request, _("The acceptance is started."))
                return redirect("acceptance_detail", pk=row.pk)
    context = {"form": form, "cost": cost, "costed": costed}
    status = 400 if form.errors else 200
    return render(request, "acceptance/acceptance_form.html", context, status=status)


@require_safe
@login_required
def acceptance_detail(request: HttpRequest, pk: int) -> HttpResponse:
    acceptance = get_object_or_404(acceptances_visible(), pk=pk)
    rows = accepted_disks(acceptance)
    context = {
        "acceptance": acceptance,
        "rows": disk_rows(rows),
        "summary": outcome_text(acceptance, rows),
        "cost": acceptance_cost([row.disk for row in rows], acceptance.profile),
        "may_edit": acceptance.is_editable(request.user),
    }
    return render(request, "acceptance/acceptance_detail.html", context)


@require_POST
@role_required(Role.OPERATOR)
def acceptance_cancel_page(request: HttpRequest, pk: int) -> HttpResponse:
    acceptance = get_object_or_404(Acceptance, pk=pk)
    try:
        acceptance_cancel(acceptance=acceptance, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The acceptance is cancelled, and its run."))
    return redirect("acceptance_detail", pk=pk)


@require_POST
@role_required(Role.OPERATOR)
def acceptance_decide_page(request: HttpRequest, pk: int) -> HttpResponse:
    acceptance = get_object_or_404(Acceptance, pk=pk)
    try:
        acceptance_decide(acceptance=acceptance, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The rules are applied again."))
    return redirect("acceptance_detail", pk=pk)


@require_POST
@role_required(Role.OPERATOR)
@fresh_login_required()
def acceptance_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    acceptance = get_object_or_404(Acceptance, pk=pk)
    try:
        acceptance_delete(acceptance=acceptance, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("acceptance_detail", pk=pk)
    messages.success(request, _("The acceptance is deleted; its runs stay."))
    return redirect("acceptance_list")


@require_safe
@login_required
def acceptance_lot(request: HttpRequest, pk: int) -> HttpResponse:
    rows = accepted_disks(get_object_or_404(Acceptance, pk=pk))
    response = HttpResponse(lot_csv(rows), "text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="acceptance-{pk}.csv"'
    return response


@require_safe
@login_required
def disk_sheet(request: HttpRequest, pk: int, disk: int) -> HttpResponse:
    context = _sheet_context(_row(pk, disk)) | {"has_pdf": chromium() is not None}
    return render(request, "acceptance/disk_sheet.html", context)


@require_safe
@login_required
def disk_sheet_file(request: HttpRequest, pk: int, disk: int, kind: str) -> HttpResponse:
    """Return the sheet of a disk as a file: json or pdf."""
    row = _row(pk, disk)
    if kind == "json":
        text = json.dumps(sheet_data(row), ensure_ascii=False, indent=2)
        response = HttpResponse(text, "application/json")
    elif kind == "pdf":
        context = _sheet_context(row) | {"language": get_language(), "style": _style()}
        document = render_to_string("acceptance/disk_sheet_paper.html", context)
        response = HttpResponse(pdf_of(document), "application/pdf")
    else:
        raise Http404(kind)
    name = f"acceptance-{pk}-disk-{disk}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _row(pk: int, disk: int) -> AcceptedDisk:
    rows = AcceptedDisk.objects.select_related("acceptance", "disk__host", "disk__model")
    return get_object_or_404(rows, acceptance=pk, disk=disk)


def _style() -> str:
    """Return the styles of documents on paper."""
    return (Path(settings.BASE_DIR) / "static/css/report.css").read_text("utf-8")


def _sheet_context(row: AcceptedDisk) -> dict[str, object]:
    return {"row": row, "disk": row.disk, "findings": finding_rows(row.findings)}
