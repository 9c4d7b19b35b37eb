"""The list of Ceph pools, and their form."""

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
from apps.inventory.domain.durability import durability_query
from apps.inventory.filters import POOL_COLUMNS, PoolFilter
from apps.inventory.forms import PoolForm
from apps.inventory.models import Pool
from apps.inventory.presenters import lab_tabs
from apps.inventory.selectors.inventory import editable_among, pools_for_list
from apps.inventory.selectors.labels import pool_shape
from apps.inventory.selectors.osd_hosts import OsdHost, pool_osd_hosts
from apps.inventory.services import pool_delete, pool_save
from apps.inventory.views.saving import acted

DEFAULT_REPLICAS = 3
"""Ceph's default number of replicas (osd_pool_default_size)."""


@require_safe
def pool_list(request: HttpRequest) -> HttpResponse:
    result = PoolFilter(request.GET, queryset=pools_for_list())
    page = list_page(result.qs, request, POOL_COLUMNS)
    context = {
        "filter": result,
        "page": page,
        "rows": [_row(pool) for pool in page.rows],
        "editable": editable_among(page.rows, user_of(request)),
        "tabs": lab_tabs(),
    }
    return render(request, "inventory/pool_list.html", context)


def _row(pool: Pool) -> tuple[Pool, str, list[OsdHost], str]:
    hosts = pool_osd_hosts(pool)
    disks = sum(len(host.numbers) for host in hosts)
    is_osd = pool.failure_domain == Pool.FailureDomain.OSD
    domains = disks if is_osd else len(hosts)
    k, m = pool.k, pool.m
    if pool.pool_type == Pool.PoolType.REPLICATED:
        k, m = 1, (pool.replicas or DEFAULT_REPLICAS) - 1
    query = durability_query(pool.name, k=k, m=m, disks=disks, domains=domains)
    return pool, pool_shape(pool), hosts, query


@role_required(Role.OPERATOR)
def pool_edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Change a pool; without `pk` create one."""
    user = user_of(request)
    pool = get_object_or_404(pools_for_list(), pk=pk) if pk else None
    if pool is None:
        done = _("The pool is added. A plan can name it as a target.")
    else:
        require_editable(pool, user)
        done = _("The pool is saved, for runs that are launched from now on.")
    form = PoolForm(request.POST or None, user=user, pool=pool)
    if made(form, lambda: pool_save(user=user, draft=form.draft(), pool=pool)):
        messages.success(request, done)
        return redirect("pool_list")
    return render(request, "inventory/pool_form.html", {"form": form, "pool": pool})


@require_POST
def pool_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    pool, user = get_object_or_404(Pool, pk=pk), user_of(request)
    done = _("The pool's entry is deleted; the cluster is untouched.")
    acted(request, lambda: pool_delete(pool=pool, user=user), done)
    return redirect("pool_list")
