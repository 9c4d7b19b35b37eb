"""The list of hosts, the page of a host, and its form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.forms import made
from apps.common.web.lists import list_page
from apps.common.web.page_context import page_context
from apps.inventory.filters import HOST_COLUMNS, HostFilter
from apps.inventory.forms import HostForm
from apps.inventory.forms.hosts import NEW, PASTE
from apps.inventory.models import CephCluster, Host
from apps.inventory.presenters import (
    facts_history,
    host_rows,
    lab_tabs,
    owner_limit_rows,
    restart_rows,
    tool_rows,
    unrestored_rows,
)
from apps.inventory.selectors.host_identity import same_machine_id
from apps.inventory.selectors.inventory import (
    directories_for_list,
    editable_among,
    hosts_for_detail,
    hosts_with_health,
)
from apps.inventory.services import host_create, host_update

STOP_POLLING = 286


@require_safe
def host_list(request: HttpRequest) -> HttpResponse:
    result = HostFilter(request.GET, queryset=hosts_with_health())
    page = list_page(result.qs, request, HOST_COLUMNS, default="name")
    context = {"filter": result, "page": page, "tabs": lab_tabs()}
    return render(request, "inventory/host_list.html", context)


@require_safe
def host_detail(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(hosts_for_detail(), pk=pk)
    return render(request, "inventory/host_detail.html", _context(request, host))


@require_safe
def host_body(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the body of the page for polling; 286 ends the polling after the check."""
    host = get_object_or_404(hosts_for_detail(), pk=pk)
    status = 200 if host.is_being_checked else STOP_POLLING
    context = _context(request, host)
    return render(request, "inventory/partials/host_body.html", context, status=status)


def _context(request: HttpRequest, host: Host) -> dict[str, object]:
    user = user_of(request)
    directories = list(directories_for_list().filter(host=host))
    disks = host.disks.select_related("enrolled_by", "model").order_by("device_path", "identity")
    return {
        "host": host,
        "may_edit": host.is_editable(request.user),
        "may_check": user.is_operator and host.enabled and host.is_reachable_kind,
        "rows": host_rows(host),
        "owner_limits": owner_limit_rows(host),
        "unrestored": unrestored_rows(host),
        "tools": tool_rows(host),
        "disks": [disk for disk in disks if disk.device_path or disk.is_enrolled],
        "directories": directories,
        "editable": editable_among(directories, user),
        "history": facts_history(host),
        "same_machine": same_machine_id(host),
        "restarts": restart_rows(host),
        "restart_modes": CephCluster.RestartMode.choices,
        "same_cluster": list(host.cluster.hosts.exclude(pk=host.pk)) if host.cluster else [],
    } | page_context("host", host)


ACCESS_FIELDS = frozenset({"kind", "address", "port", "user", "key", "jump"})


def _changes_key(request: HttpRequest) -> bool:
    """Return True if the form makes or stores a key; a stored one is no new access."""
    return request.POST.get("key") in (NEW, PASTE)


@role_required(Role.ADMIN)
@fresh_login_required(when=_changes_key)
def host_add(request: HttpRequest) -> HttpResponse:
    form = HostForm(request.POST or None)
    user = user_of(request)
    host = made(form, lambda: host_create(user=user, draft=form.draft(), new_key=form.new_key()))
    if host:
        messages.success(request, _("%(name)s is added; it is checked now.") % {"name": host.name})
        return redirect("host_detail", pk=host.pk)
    return render(request, "inventory/host_form.html", {"form": form})


def _changes_access(request: HttpRequest) -> bool:
    """Return True if the form leads benchlab to another machine, or with another key."""
    match = request.resolver_match
    assert match is not None, "a view has a match"
    host = get_object_or_404(Host, pk=match.kwargs["pk"])
    changed = HostForm(request.POST, instance=host).changed_data
    return _changes_key(request) or not ACCESS_FIELDS.isdisjoint(changed)


@role_required(Role.ADMIN)
@fresh_login_required(when=_changes_access)
def host_edit(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(Host, pk=pk)
    # The form writes into its instance even when it is refused, so it gets one of its own.
    form = HostForm(request.POST or None, instance=get_object_or_404(Host, pk=pk))
    user = user_of(request)
    if made(
        form,
        lambda: host_update(host=host, user=user, draft=form.draft(), new_key=form.new_key()),
    ):
        messages.success(request, _("%(name)s is saved.") % {"name": form.instance.name})
        return redirect("host_detail", pk=pk)
    return render(request, "inventory/host_form.html", {"form": form, "host": host})
