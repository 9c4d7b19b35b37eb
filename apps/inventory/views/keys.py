"""The list of SSH keys with the hosts that use them; unused keys can be deleted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views import account_tabs
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.web.lists import list_page
from apps.inventory.filters import KEY_COLUMNS
from apps.inventory.models import Credential, HostAuthority
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services import credential_delete, host_authority_delete
from apps.inventory.views.saving import acted


@require_safe
@role_required(Role.ADMIN)
def key_list(request: HttpRequest) -> HttpResponse:
    keys = Credential.objects.prefetch_related("hosts")
    page = list_page(keys, request, KEY_COLUMNS, default="name")
    rows = [(key, fingerprint(key.public_key)) for key in page.rows]
    authorities = [(row, fingerprint(row.public_key)) for row in HostAuthority.objects.all()]
    context = {"page": page, "rows": rows, "tabs": account_tabs(request)}
    context |= {"authorities": authorities}
    return render(request, "inventory/key_list.html", context)


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def key_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    key, user = get_object_or_404(Credential, pk=pk), user_of(request)
    done = _("The key is forgotten. Remove its line from authorized_keys where it still stands.")
    acted(request, lambda: credential_delete(user=user, credential=key), done)
    return redirect("key_list")


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def host_authority_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    authority, user = get_object_or_404(HostAuthority, pk=pk), user_of(request)
    done = _("The authority is deleted. Host keys that it vouched for stay pinned.")
    if authority.is_revoked:
        done = _("The revocation is deleted.")
    acted(request, lambda: host_authority_delete(user=user, authority=authority), done)
    return redirect("key_list")
