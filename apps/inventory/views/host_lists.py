"""Many hosts at once: a list is previewed row by row, then stored; the hosts as such a list."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.web.downloads import attached
from apps.inventory.domain.host_lists import FORMS
from apps.inventory.filters import HostFilter
from apps.inventory.forms import HostListForm
from apps.inventory.models import HostBatch
from apps.inventory.presenters import csv_of_hosts, preview_rows
from apps.inventory.selectors.host_batches import batches_for_list
from apps.inventory.selectors.host_plan import HostPlan, plan_hosts
from apps.inventory.selectors.inventory import hosts_for_detail
from apps.inventory.services import host_batch_create
from apps.inventory.views.list_preview import list_step

SHOWN_BATCHES = 10


def _adds(request: HttpRequest) -> bool:
    return request.POST.get("step") == "add"


@role_required(Role.ADMIN)
@fresh_login_required(when=_adds)
def host_add_many(request: HttpRequest) -> HttpResponse:
    """Show the form; `step=preview` shows what the list would do, `step=add` stores it."""
    if request.method != "POST":
        return _page(request, HostListForm())
    form = HostListForm(request.POST, request.FILES)
    result = list_step(
        form,
        request,
        "add",
        act=lambda: _added(request, form),
        plan=lambda: plan_hosts(form.options()),
    )
    return result if isinstance(result, HttpResponse) else _page(request, form, result)


def _added(request: HttpRequest, form: HostListForm) -> HttpResponse:
    """Store the selected rows. Raises: ServiceError."""
    tokens = dict(box.split(" ", 1)[::-1] for box in request.POST.getlist("row") if " " in box)
    batch = host_batch_create(
        user=user_of(request), options=form.options(), names=list(tokens), tokens=tokens
    )
    count = batch.hosts.count()
    words = ngettext("{n} host is stored.", "{n} hosts are stored.", count)
    messages.success(request, words.format(n=count))
    return redirect("host_batch", pk=batch.pk)


def _page(request: HttpRequest, form: HostListForm, plan: HostPlan | None = None) -> HttpResponse:
    shown: dict[str, Any] = {}
    if plan is not None:
        form.show_text(form.cleaned_data["text"])
        # A new preview selects anew: the list can have other rows than the one before.
        selected = set(request.POST.getlist("row")) if _adds(request) else set()
        rows = preview_rows(plan, selected)
        shown = {
            "plan": plan,
            "rows": rows,
            "is_addable": any(row.box for row in rows),
            "form_label": FORMS[plan.form],
        }
    context = {"form": form, "batches": _batches(), **shown}
    status = 400 if form.errors else 200
    return render(request, "inventory/host_add_many.html", context, status=status)


def _batches() -> list[HostBatch]:
    return list(batches_for_list()[:SHOWN_BATCHES])


@require_safe
def host_export(request: HttpRequest) -> HttpResponse:
    """Return the filtered hosts as CSV in the form that the page of many hosts reads."""
    result = HostFilter(request.GET, queryset=hosts_for_detail())
    return attached(csv_of_hosts(result.qs), "hosts.csv", "text/csv; charset=utf-8")
