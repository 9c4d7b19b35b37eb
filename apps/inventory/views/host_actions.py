"""Actions on a host."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import fingerprint, hosts_for_detail
from apps.inventory.services import (
    host_check_request,
    host_cluster_accept,
    host_cluster_disturbances,
    host_cluster_restart,
    host_cluster_set_distinct,
    host_enabled_set,
    host_hold,
    host_key_accept,
    host_key_scan_request,
    host_release,
    host_restore_settings_request,
    tool_install_request,
)


@require_POST
@role_required(Role.OPERATOR)
def host_check(request: HttpRequest, pk: int) -> HttpResponse:
    return _requested(request, pk, host_check_request)


@require_POST
@role_required(Role.ADMIN)
def host_hold_page(request: HttpRequest, pk: int) -> HttpResponse:
    return _requested(request, pk, partial(host_hold, reason=request.POST.get("reason", "")))


@require_POST
@role_required(Role.ADMIN)
def host_release_page(request: HttpRequest, pk: int) -> HttpResponse:
    return _requested(request, pk, host_release)


@require_POST
@role_required(Role.OPERATOR)
def host_restore_settings(request: HttpRequest, pk: int) -> HttpResponse:
    return _requested(request, pk, host_restore_settings_request)


def _requested(request: HttpRequest, pk: int, ask: Callable[..., object]) -> HttpResponse:
    """Call a service for the host; show its refusal as a message."""
    host = get_object_or_404(Host, pk=pk)
    try:
        ask(host=host, user=user_of(request))
    except ServiceError as refused:
        messages.error(request, refused.message)
    return redirect("host_detail", pk=pk)


@role_required(Role.ADMIN)
@fresh_login_required()
def host_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the presented fingerprint, and pin it.

    The form contains the fingerprint that was shown, so that no other key is confirmed.
    """
    host = get_object_or_404(hosts_for_detail(), pk=pk)
    if request.method == "POST":
        try:
            shown = request.POST.get("fingerprint", "")
            host_key_accept(host=host, fingerprint=shown, user=user_of(request))
        except ServiceError as refused:
            messages.error(request, refused.message)
            return redirect("host_key", pk=pk)
        messages.success(request, _("The host key is pinned; the host is checked now."))
        return redirect("host_detail", pk=pk)
    context = {
        "host": host,
        "offered": fingerprint(host.presented_host_key),
        "algorithm": host.presented_host_key.split(" ")[0],
    }
    return render(request, "inventory/host_key.html", context)


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def host_key_scan(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(Host, pk=pk)
    try:
        host_key_scan_request(host=host, user=user_of(request))
    except ServiceError as refused:
        messages.error(request, refused.message)
    return redirect("host_detail", pk=pk)


@require_POST
@role_required(Role.ADMIN)
def host_install(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(Host, pk=pk)
    try:
        tool = request.POST.get("tool", "")
        tool_install_request(host=host, tool=tool, user=user_of(request))
    except ServiceError as refused:
        messages.error(request, refused.message)
    return redirect("host_detail", pk=pk)


@require_POST
@role_required(Role.ADMIN)
def host_enabled(request: HttpRequest, pk: int) -> HttpResponse:
    host = get_object_or_404(Host, pk=pk)
    enabled = request.POST.get("enabled") == "1"
    host_enabled_set(host=host, user=user_of(request), enabled=enabled)
    words = _("%(name)s is switched on.") if enabled else _("%(name)s is switched off.")
    messages.success(request, words % {"name": host.name})
    return redirect("host_detail", pk=pk)


def _sets_restart(request: HttpRequest) -> bool:
    """Return True if the form sets a command that hosts run as root, or allows disturbances."""
    return "restart" in request.POST or "disturbances" in request.POST


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required(when=_sets_restart)
def host_cluster(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm the reported cluster, declare it distinct, or set what may happen to it."""
    host, user = get_object_or_404(Host, pk=pk), user_of(request)
    try:
        if "fsid" in request.POST:
            host_cluster_accept(host=host, fsid=request.POST["fsid"], user=user)
        elif "restart" in request.POST:
            values = {name: request.POST.get(name, "") for name in ("restart", "command")}
            daemon = request.POST.get("daemon", "osd")
            host_cluster_restart(host=host, user=user, daemon=daemon, **values)
        elif "disturbances" in request.POST:
            texts = {name: request.POST.get(name, "") for name in ("stop", "start")}
            allowed = request.POST["disturbances"] == "1"
            host_cluster_disturbances(host=host, user=user, allowed=allowed, **texts)
        else:
            host_cluster_set_distinct(
                host=host, is_distinct=request.POST.get("distinct") == "1", user=user
            )
    except ServiceError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("Saved for runs that start from now on."))
    return redirect("host_detail", pk=pk)
