"""The list of disk models, and the form of their figures."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.forms import made
from apps.common.web.pagination import keyset
from apps.inventory.filters import DiskModelFilter
from apps.inventory.forms import DiskModelForm
from apps.inventory.models import DiskModel
from apps.inventory.presenters import lab_tabs
from apps.inventory.selectors.specifications import disk_models_for_list
from apps.inventory.services import disk_model_update


@require_safe
def disk_model_list(request: HttpRequest) -> HttpResponse:
    result = DiskModelFilter(request.GET, queryset=disk_models_for_list())
    page = keyset(result.qs, request, order="name")
    context = {"filter": result, "page": page, "tabs": lab_tabs()}
    return render(request, "inventory/disk_model_list.html", context)


@role_required(Role.DISK_OWNER)
def disk_model_edit(request: HttpRequest, pk: int) -> HttpResponse:
    model = get_object_or_404(DiskModel, pk=pk)
    form = DiskModelForm(request.POST or None, model=model)
    user = user_of(request)
    if made(form, lambda: disk_model_update(model=model, user=user, **form.draft())):
        messages.success(request, _("The disk model is saved, for all its disks."))
        return redirect("disk_model_list")
    status = 400 if form.errors else 200
    context = {"form": form, "model": model}
    return render(request, "inventory/disk_model_form.html", context, status=status)
