"""The hosts of a list after they are stored: keys to deploy, keys to trust, checks as they come."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.domain.keys import parse_key
from apps.common.errors import ServiceError
from apps.common.forms import add_refusal
from apps.common.web.lists import list_page
from apps.inventory.domain.host_lists import FORMS
from apps.inventory.filters import BATCH_COLUMNS
from apps.inventory.forms import ListedKeysForm, OneTimePasswordForm
from apps.inventory.models import Host, HostBatch
from apps.inventory.presenters import deployments, fingerprint_line
from apps.inventory.selectors.host_batches import (
    batch_hosts,
    batches_for_list,
    hosts_for_password,
    wrong_hosts,
)
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services import (
    ListedKeys,
    host_batch_check,
    host_batch_deploy_keys,
    host_keys_accept_listed,
)
from apps.remote.key_deployment import DeploymentResult

STOP_POLLING = 286
ROWS = 200
SHOWN_REASONS = 20


@require_safe
def host_batch(request: HttpRequest, pk: int) -> HttpResponse:
    batch = get_object_or_404(batches_for_list(), pk=pk)
    return _page(request, batch)


@require_safe
def host_batch_checks(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the table for polling; 286 ends the polling after the last check."""
    batch = get_object_or_404(batches_for_list(), pk=pk)
    context = _checks(request, batch)
    status = 200 if context["waiting"] else STOP_POLLING
    return render(request, "inventory/partials/batch_checks.html", context, status=status)


@require_POST
@role_required(Role.OPERATOR)
def host_batch_check_all(request: HttpRequest, pk: int) -> HttpResponse:
    batch = get_object_or_404(HostBatch, pk=pk)
    count = host_batch_check(batch=batch, user=user_of(request))
    words = ngettext("{n} host is checked.", "{n} hosts are checked.", count)
    messages.success(request, words.format(n=count))
    return redirect("host_batch", pk=pk)


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def host_batch_keys(request: HttpRequest, pk: int) -> HttpResponse:
    """Trust the presented keys that the pasted text lists; name the others with a reason."""
    batch = get_object_or_404(batches_for_list(), pk=pk)
    form = ListedKeysForm(request.POST)
    if not form.is_valid():
        return _page(request, batch, form, status=400)
    user, text = user_of(request), form.cleaned_data["text"]
    try:
        result = host_keys_accept_listed(batch=batch, text=text, user=user)
    except ServiceError as refused:
        messages.error(request, refused.message)
        return redirect("host_batch", pk=pk)
    _tell(request, result)
    return redirect("host_batch", pk=pk)


@require_POST
@sensitive_post_parameters("one_time_password")
@role_required(Role.ADMIN)
@fresh_login_required()
def host_batch_deploy_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the public key on the selected hosts with a password; show the result of each host."""
    batch = get_object_or_404(batches_for_list(), pk=pk)
    form = OneTimePasswordForm(request.POST)
    results: list[tuple[Host, DeploymentResult]] = []
    try:
        if form.is_valid():
            results = host_batch_deploy_keys(
                batch=batch,
                hosts=[parse_key(key) for key in request.POST.getlist("host")],
                password=form.cleaned_data["one_time_password"],
                user=user_of(request),
            )
    except ServiceError as refused:
        add_refusal(form, refused)
    status = 400 if form.errors else 200
    shown = form if form.errors else OneTimePasswordForm()
    return _page(request, batch, status=status, password_form=shown, results=results)


def _tell(request: HttpRequest, result: ListedKeys) -> None:
    count = len(result.accepted)
    if count:
        words = ngettext("{n} host key is pinned.", "{n} host keys are pinned.", count)
        messages.success(request, words.format(n=count))
    reasons = [f"{name}: {reason}" for name, reason in result.refused.items()]
    for reason in reasons[:SHOWN_REASONS]:
        messages.warning(request, reason)
    if len(reasons) > SHOWN_REASONS:
        rest = len(reasons) - SHOWN_REASONS
        messages.warning(
            request, _("Further hosts that are not trusted: %(count)d.") % {"count": rest}
        )


def _page(
    request: HttpRequest,
    batch: HostBatch,
    form: ListedKeysForm | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    user = user_of(request)
    hosts = list(batch_hosts(batch))
    untrusted = [host for host in hosts if host.kind == Host.Kind.SSH and not host.host_key]
    reached = (Host.Health.OK, Host.Health.WARNING)
    context = {
        "form": form or ListedKeysForm(),
        "form_label": FORMS.get(batch.form, batch.form),
        "deployments": deployments(host for host in hosts if host.health not in reached),
        "fingerprint_line": fingerprint_line(untrusted),
        "untrusted": untrusted,
        "may_edit": user.is_admin,
        "may_check": user.is_operator,
        "password_form": OneTimePasswordForm(),
        "password_hosts": list(hosts_for_password(batch)) if user.is_admin else [],
        **_checks(request, batch),
        **more,
    }
    return render(request, "inventory/host_batch.html", context, status=status)


def _checks(request: HttpRequest, batch: HostBatch) -> dict[str, Any]:
    only_wrong = request.GET.get("show") == "wrong"
    rows = batch_hosts(batch)
    shown: QuerySet[Host] = wrong_hosts(rows) if only_wrong else rows
    page = list_page(shown, request, BATCH_COLUMNS, default="name", size=ROWS)
    return {
        "batch": batch,
        "page": page,
        "rows": [
            (host, fingerprint(host.host_key or host.presented_host_key)) for host in page.rows
        ],
        "only_wrong": only_wrong,
        "wrong_count": wrong_hosts(rows).count(),
        "waiting": rows.filter(check_requested_at__isnull=False).count(),
        "query": request.GET.urlencode(),
    }
