"""Enrolment of many disks: a list of serials is previewed row by row, then enrolled."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.domain.keys import parse_key
from apps.inventory.forms import DiskListForm
from apps.inventory.presenters import disk_preview_rows
from apps.inventory.selectors.disk_list_plan import (
    ENROL,
    ENROLLED,
    NOT_REPORTED,
    REFUSED,
    DiskListPlan,
    plan_disks,
)
from apps.inventory.services import disks_enrol_listed
from apps.inventory.views.list_preview import list_step


def _enrols(request: HttpRequest) -> bool:
    return request.POST.get("step") != "preview"


@role_required(Role.DISK_OWNER)
@fresh_login_required(when=_enrols)
def disks_enrol_list(request: HttpRequest) -> HttpResponse:
    """Show the form; `step=preview` shows what the list would do, `step=enrol` enrols."""
    if request.method != "POST":
        return _page(request, DiskListForm())
    form = DiskListForm(request.POST, request.FILES)
    result = list_step(
        form,
        request,
        "enrol",
        act=lambda: _enrolled(request, form),
        plan=lambda: plan_disks(form.cleaned_data["text"]),
    )
    return result if isinstance(result, HttpResponse) else _page(request, form, result)


def _enrolled(request: HttpRequest, form: DiskListForm) -> HttpResponse:
    """Enrol the selected rows. Raises: ServiceError."""
    boxes = [box.partition(" ") for box in request.POST.getlist("row")]
    tokens = {parse_key(line): token for token, _space, line in boxes}
    disks = disks_enrol_listed(
        user=user_of(request),
        text=form.cleaned_data["text"],
        confirmation=request.POST.get("confirm", ""),
        lines=list(tokens),
        tokens=tokens,
    )
    words = ngettext(
        "{n} disk is enrolled: tests may destroy what is on it.",
        "{n} disks are enrolled: tests may destroy what is on them.",
        len(disks),
    )
    messages.success(request, words.format(n=len(disks)))
    return redirect("disk_list")


def _page(
    request: HttpRequest, form: DiskListForm, plan: DiskListPlan | None = None
) -> HttpResponse:
    shown: dict[str, Any] = {}
    if plan is not None:
        form.show_text(form.cleaned_data["text"])
        # A new preview selects anew: the list can have other rows than the one before.
        selected = set(request.POST.getlist("row")) if _enrols(request) else set()
        shown = {
            "plan": plan,
            "rows": disk_preview_rows(plan, selected),
            "ready": plan.count(ENROL),
            "enrolled": plan.count(ENROLLED),
            "refused": plan.count(REFUSED) + plan.count(NOT_REPORTED),
        }
    status = 400 if form.errors else 200
    context = {"form": form, **shown}
    return render(request, "inventory/disks_enrol_list.html", context, status=status)
