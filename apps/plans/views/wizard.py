"""Pages of the plan wizard for a disk or pool."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.forms import Context, made
from apps.inventory.models import Disk, Pool
from apps.plans.forms.wizard import StartForm
from apps.plans.services.wizard import wizard_plan_create


@role_required(Role.OPERATOR)
def disk_start(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask three questions and create a plan, which shows cases, time and bytes before a launch."""
    disk = get_object_or_404(Disk.objects.select_related("host"), pk=pk)
    return _start(request, disk, "plans/disk_start.html", {"disk": disk})


@role_required(Role.OPERATOR)
def pool_start(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the same questions for a pool."""
    pool = get_object_or_404(Pool.objects.select_related("host"), pk=pk)
    return _start(request, pool, "plans/pool_start.html", {"pool": pool})


def _start(
    request: HttpRequest, target: Disk | Pool, template: str, context: Context
) -> HttpResponse:
    form = StartForm(request.POST or None, target=target)
    plan = made(
        form, lambda: wizard_plan_create(target=target, user=user_of(request), start=form.start())
    )
    if plan:
        messages.success(request, _("This is the plan. Nothing runs before you launch it."))
        return redirect("plan_detail", plan.pk)
    return render(request, template, {"form": form, **context}, status=400 if form.errors else 200)
