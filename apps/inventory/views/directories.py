"""Scratch directories of a host."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_editable, role_required
from apps.common.errors import Refused
from apps.common.forms import add_refusal
from apps.inventory.forms import DirectoryForm
from apps.inventory.models import Directory, Host
from apps.inventory.services import directory_create, directory_delete


@role_required(Role.OPERATOR)
def directory_add(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(Host, pk=pk)
    user = cast(User, request.user)
    form = DirectoryForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            directory_create(host=host, user=user, **form.cleaned_data)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            messages.success(request, _("The directory is added."))
            return redirect("host_detail", pk=pk)
    return render(request, "inventory/directory_form.html", {"form": form, "host": host})


@require_POST
def directory_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    directory = get_object_or_404(Directory, pk=pk)
    require_editable(directory, request.user)
    try:
        directory_delete(directory=directory, user=cast(User, request.user))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("The directory's entry is deleted; the host is untouched."))
    return redirect("host_detail", pk=directory.host_id)
