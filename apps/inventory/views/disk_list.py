"""The list of all disks, and the page that tags selected ones."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.domain.keys import parse_key
from apps.common.forms.tags import TagsForm
from apps.common.web.lists import list_page
from apps.common.web.page_context import page_context
from apps.inventory.filters import DISK_COLUMNS, DiskListFilter
from apps.inventory.presenters import lab_tabs
from apps.inventory.selectors.host_identity import other_entries
from apps.inventory.selectors.inventory import disks_for_list
from apps.inventory.services import disk_tag

MOST = 500


@require_safe
def disk_list(request: HttpRequest) -> HttpResponse:
    """Show the disks of all hosts, selectable."""
    disk_filter = DiskListFilter(request.GET, queryset=disks_for_list())
    page = list_page(disk_filter.qs, request, DISK_COLUMNS, default="disk", selects="target")
    others = other_entries({disk.host_id for disk in page.rows})
    rows = [(disk, others.get(disk.host_id)) for disk in page.rows]
    context = {"filter": disk_filter, "page": page, "rows": rows, "tabs": lab_tabs()}
    context |= page_context("disk_list", page.rows)
    return render(request, "inventory/disk_list.html", context)


@role_required(Role.OPERATOR)
def disks_bulk_edit(request: HttpRequest) -> HttpResponse:
    """Show the selected disks (`?target=`) and change tags of all of them."""
    user, query = user_of(request), request.POST or request.GET
    keys = map(parse_key, query.getlist("target")[:MOST])
    disks = list(disks_for_list().filter(pk__in=keys))
    form = TagsForm(request.POST or None)
    if request.method == "POST" and disks and form.is_valid():
        for disk in disks:
            disk_tag(disk=disk, user=user, **form.cleaned_data)
        words = ngettext("{n} disk has its tags.", "{n} disks have their tags.", len(disks))
        messages.success(request, words.format(n=len(disks)))
        return redirect("disk_list")
    context = {"disks": disks, "form": form}
    return render(
        request, "inventory/disks_bulk_edit.html", context, status=400 if form.errors else 200
    )
