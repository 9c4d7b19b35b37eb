"""Scratch directories of a host."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.forms import made
from apps.inventory.forms import DirectoryForm
from apps.inventory.models import Directory, Host
from apps.inventory.services import directory_create, directory_delete
from apps.inventory.views.saving import acted


@role_required(Role.OPERATOR)
def directory_add(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(Host, pk=pk)
    user = user_of(request)
    form = DirectoryForm(request.POST or None, user=user)
    if made(form, lambda: directory_create(host=host, user=user, **form.cleaned_data)):
        messages.success(request, _("The directory is added."))
        return redirect("host_detail", pk=pk)
    return render(request, "inventory/directory_form.html", {"form": form, "host": host})


@require_POST
def directory_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    directory, user = get_object_or_404(Directory, pk=pk), user_of(request)
    done = _("The directory's entry is deleted; the host is untouched.")
    acted(request, lambda: directory_delete(directory=directory, user=user), done)
    return redirect("host_detail", pk=directory.host_id)
