"""Pages of baselines: list, create, delete."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.forms import made
from apps.common.web.lists import list_page
from apps.inventory.models import Disk
from apps.results.filters.baselines import BASELINE_COLUMNS, BaselineFilter
from apps.results.forms import BaselineForm
from apps.results.selectors.baselines import baselines_listed, baselines_of
from apps.results.services.baselines import baseline_create, baseline_delete
from apps.runs.selectors.runs import runs_visible

OF_DISK = 20
"""Baselines on a disk's page: the newest."""


@require_safe
@login_required
def baseline_list(request: HttpRequest) -> HttpResponse:
    """List baselines, newest first; filters: `?run=&target=&disk_model=`."""
    filterset = BaselineFilter(request.GET, queryset=baselines_listed())
    if not filterset.is_valid():
        raise Http404(_("There is no such run or target."))
    page = list_page(filterset.qs, request, BASELINE_COLUMNS)
    user = user_of(request)
    rows = [(row, row.is_editable(user)) for row in page.rows]
    return render(request, "results/baseline_list.html", {"page": page, "rows": rows})


@require_safe
@login_required
def disk_baselines(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the baselines of a disk and its model as a fragment."""
    disk = get_object_or_404(Disk, pk=pk)
    targets = [disk.target_id] if disk.target_id is not None else []
    context = {"baselines": list(baselines_of(targets)[:OF_DISK])}
    return render(request, "results/partials/baselines_of.html", context)


@role_required(Role.OPERATOR)
def baseline_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a baseline from a run."""
    run = get_object_or_404(runs_visible(), pk=pk)
    form = BaselineForm(request.POST if request.method == "POST" else None, run=run)
    user = user_of(request)
    if made(form, lambda: baseline_create(user=user, draft=form.draft())):
        messages.success(request, _("This is a baseline now."))
        return redirect("baseline_list")
    status = 400 if form.errors else 200
    return render(request, "results/baseline_form.html", {"run": run, "form": form}, status=status)


@require_POST
@role_required(Role.OPERATOR)
def baseline_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a baseline."""
    baseline = get_object_or_404(baselines_listed(), pk=pk)
    baseline_delete(baseline=baseline, user=user_of(request))
    messages.success(request, _("The results stay; they are no baseline any more."))
    return redirect("baseline_list")
