"""The page on which a plan begins at a disk."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.forms import made
from apps.inventory.models import Disk

from .forms import StartForm
from .services import plan_start


@role_required(Role.OPERATOR)
def disk_start(request: HttpRequest, pk: int) -> HttpResponse:
    """Three questions; the answers become a plan, which shows its cases, time and bytes before
    anybody launches it.
    """
    disk = get_object_or_404(Disk.objects.select_related("host"), pk=pk)
    form = StartForm(request.POST or None, disk=disk)
    plan = made(form, lambda: plan_start(disk=disk, user=user_of(request), start=form.start()))
    if plan:
        messages.success(request, _("This is the plan. Nothing runs before you launch it."))
        return redirect("plan_detail", plan.pk)
    status = 400 if form.errors else 200
    return render(request, "plans/disk_start.html", {"form": form, "disk": disk}, status=status)
