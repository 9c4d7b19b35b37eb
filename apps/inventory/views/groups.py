"""The list of target groups, and their form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.common.forms import made
from apps.common.web.lists import list_page
from apps.inventory.domain.durability import array_query
from apps.inventory.filters import GROUP_COLUMNS, GroupFilter
from apps.inventory.forms import GroupForm
from apps.inventory.models import TargetGroup
from apps.inventory.presenters import lab_tabs
from apps.inventory.selectors.inventory import editable_among, groups_for_list
from apps.inventory.selectors.labels import by_host
from apps.inventory.services import group_delete, group_save
from apps.inventory.views.saving import acted


@require_safe
def group_list(request: HttpRequest) -> HttpResponse:
    result = GroupFilter(request.GET, queryset=groups_for_list())
    page = list_page(result.qs, request, GROUP_COLUMNS, default="group")
    context = {
        "filter": result,
        "page": page,
        "rows": [
            (group, by_host(group), array_query(group.name, group.level, len(group.members)))
            for group in page.rows
        ],
        "editable": editable_among(page.rows, user_of(request)),
        "tabs": lab_tabs(),
    }
    return render(request, "inventory/group_list.html", context)


@role_required(Role.OPERATOR)
def group_edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Change a group; without `pk` create one."""
    user = user_of(request)
    group = get_object_or_404(groups_for_list(), pk=pk) if pk else None
    if group is None:
        done = _("The group is added. A plan can name it as a target.")
    else:
        require_editable(group, user)
        done = _("The group is saved, for runs that are launched from now on.")
    form = GroupForm(request.POST or None, user=user, group=group)
    if made(form, lambda: group_save(user=user, draft=form.draft(), group=group)):
        messages.success(request, done)
        return redirect("group_list")
    return render(request, "inventory/group_form.html", {"form": form, "group": group})


@require_POST
def group_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    group, user = get_object_or_404(TargetGroup, pk=pk), user_of(request)
    done = _("The group is deleted; its disks and directories stay.")
    acted(request, lambda: group_delete(group=group, user=user), done)
    return redirect("group_list")
