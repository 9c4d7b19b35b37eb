"""The page of a disk, its enrolment and its figures."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError
from apps.common.forms import made
from apps.inventory.forms import BackingArrayForm, DiskSpecificationForm
from apps.inventory.models import Disk
from apps.inventory.presenters import disk_rows, entry_rows, queue_rows
from apps.inventory.schemas.backing_arrays import backing_rows
from apps.inventory.selectors.catalogue import entry_of
from apps.inventory.selectors.host_identity import same_identity, short_identity
from apps.inventory.selectors.inventory import disks_for_list
from apps.inventory.selectors.specifications import specification_of
from apps.inventory.services import (
    disk_backing_set,
    disk_enrol,
    disk_set_distinct,
    disk_specification_set,
    disk_withdraw,
)


@require_safe
def disk_detail(request: HttpRequest, pk: int) -> HttpResponse:
    disk = get_object_or_404(disks_for_list(), pk=pk)
    entry = entry_of(disk)
    context = {
        "disk": disk,
        "host": disk.host,
        "catalogue": entry_rows(entry) if entry else [],
        "entry": entry,
        "rows": disk_rows(disk),
        "queue": queue_rows(disk),
        "array": backing_rows(disk.array),
        "obstacles": disk.enrolment_obstacles(),
        "short_identity": short_identity(disk),
        "specification": specification_of(disk),
        "twins": list(same_identity(disk)),
        "may_edit": disk.is_editable(request.user),
    }
    return render(request, "inventory/disk_detail.html", context)


@require_POST
@role_required(Role.DISK_OWNER)
@fresh_login_required()
def disk_enrol_page(request: HttpRequest, pk: int) -> HttpResponse:
    disk = get_object_or_404(Disk, pk=pk)
    try:
        typed = request.POST.get("confirm", "")
        disk_enrol(disk=disk, user=user_of(request), confirmation=typed)
    except ServiceError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("The disk is enrolled: tests may destroy what is on it."))
    return redirect("disk_detail", pk=pk)


@require_POST
@role_required(Role.DISK_OWNER)
def disk_withdraw_page(request: HttpRequest, pk: int) -> HttpResponse:
    disk_withdraw(disk=get_object_or_404(Disk, pk=pk), user=user_of(request))
    messages.success(request, _("The disk is withdrawn: no test that writes starts on it."))
    return redirect("disk_detail", pk=pk)


@require_POST
@role_required(Role.DISK_OWNER)
def disk_distinct_device(request: HttpRequest, pk: int) -> HttpResponse:
    is_distinct = request.POST.get("distinct") == "1"
    user = user_of(request)
    disk_set_distinct(disk=get_object_or_404(Disk, pk=pk), is_distinct=is_distinct, user=user)
    messages.success(request, _("Saved for runs that start from now on."))
    return redirect("disk_detail", pk=pk)


@role_required(Role.DISK_OWNER)
def disk_specification(request: HttpRequest, pk: int) -> HttpResponse:
    disk = get_object_or_404(Disk.objects.select_related("host", "model", "specification"), pk=pk)
    own = disk.specification.figures if hasattr(disk, "specification") else None
    form = DiskSpecificationForm(request.POST or None, figures=own)
    user = user_of(request)
    if made(form, lambda: disk_specification_set(disk=disk, user=user, values=form.values())):
        messages.success(request, _("Saved. Charts of this disk show it from now on."))
        return redirect("disk_detail", pk=pk)
    status = 400 if form.errors else 200
    context = {"form": form, "disk": disk}
    return render(request, "inventory/disk_specification.html", context, status=status)


@role_required(Role.DISK_OWNER)
def disk_backing(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and save the array of which a disk consists."""
    disk = get_object_or_404(Disk.objects.select_related("host"), pk=pk)
    form = BackingArrayForm(request.POST or None, array=disk.array)
    user = user_of(request)
    if made(form, lambda: disk_backing_set(disk=disk, user=user, values=form.values())):
        messages.success(request, _("Saved. Runs that are launched from now on store it."))
        return redirect("disk_detail", pk=pk)
    status = 400 if form.errors else 200
    context = {"form": form, "disk": disk}
    return render(request, "inventory/disk_backing.html", context, status=status)
