"""Ceph pools: existing, or created and deleted by benchlab."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import Host, Pool
from apps.inventory.services.owned_rows import owned_delete, require_team

# Pools in which Ceph, its gateways, file systems and usual clients (OpenStack, Kubernetes) keep
# data, by the names their documentation gives them. What benchlab makes it deletes: none of these.
SYSTEM_POOLS = re.compile(
    r"device_health_metrics|rbd|cephfs([._-].*)?|(.*\.)?rgw(\..*)?|.*[._](meta|metadata)"
    r"|images|volumes|vms|backups|metrics|kubernetes|replicapool|libvirt-pool|.*cephblockpool"
)
# `ceph osd pool set POOL size` takes 1 to 10; the default plug-in of erasure codes needs two data
# chunks (docs.ceph.com, "Pools" and "Jerasure erasure code plugin").
MAX_REPLICAS = 10
MIN_K, MAX_CHUNKS = 2, 32


@dataclass(frozen=True)
class PoolDraft:
    """The editable fields of a pool; the layout applies only with `is_ephemeral`."""

    name: str
    host: Host
    clients: Sequence[Host] = ()
    is_ephemeral: bool = False
    pg_num: int = 64
    pool_type: str = Pool.PoolType.REPLICATED
    replicas: int | None = None
    k: int = 2
    m: int = 1
    failure_domain: str = Pool.FailureDomain.HOST
    monitor_osd_hosts: bool = True
    team: Team | None = None


COLUMNS = [item.name for item in fields(PoolDraft) if item.name not in ("clients", "team")]


@transaction.atomic
def pool_save(*, user: User, draft: PoolDraft, pool: Pool | None = None) -> Pool:
    """Create or change a pool's entry, for runs launched from now on; the cluster is unchanged.

    Raises: ServiceError (400) with the invalid fields; PermissionDenied below operator.
    """
    if pool is None:
        require_role(user, Role.OPERATOR)
        return _save(Pool(owner=user), user, draft, "create")
    return _save(lock_editable(pool, user), user, draft, "change")


def pool_draft(pool: Pool) -> PoolDraft:
    """Return a pool as a draft."""
    return PoolDraft(
        name=pool.name,
        host=pool.host,
        clients=tuple(pool.clients.all()),
        is_ephemeral=pool.is_ephemeral,
        pg_num=pool.pg_num,
        pool_type=pool.pool_type,
        replicas=pool.replicas,
        k=pool.k,
        m=pool.m,
        failure_domain=pool.failure_domain,
        monitor_osd_hosts=pool.monitor_osd_hosts,
        team=pool.team,
    )


@transaction.atomic
def pool_delete(*, pool: Pool, user: User) -> None:
    """Delete the entry; the cluster is unchanged.

    Raises: ServiceError while plans or runs use it.
    """
    owned_delete(pool, user, in_use=_("Plans or runs use this pool, so it stays."))


def _save(pool: Pool, user: User, draft: PoolDraft, verb: str) -> Pool:
    require_team(pool, user, draft.team)
    for name in COLUMNS:
        setattr(pool, name, getattr(draft, name))
    pool.name = pool.name.strip()
    pool.host = Host.objects.select_for_update(of=("self",)).get(pk=draft.host.pk)
    pool.cluster_id = pool.host.cluster_id
    pool.team = draft.team
    _check(pool, draft.clients)
    pool.save()
    pool.clients.set(draft.clients)
    audit_record(user=user, action=verb, subject=pool, entry=_audit_entry(pool, draft))
    names_touch()
    return pool


def _check(pool: Pool, clients: Sequence[Host]) -> None:
    try:
        pool.full_clean(validate_constraints=False)
    except ValidationError as error:
        raise from_validation_error(error) from error
    wrong = (
        _host_faults(pool, clients)
        | _name_fault(pool)
        | (_faults(pool) if pool.is_ephemeral else {})
    )
    if wrong:
        raise ServiceError(" ".join(dict.fromkeys(wrong.values())), wrong, status=400)


def _host_faults(pool: Pool, clients: Sequence[Host]) -> dict[str, str]:
    wrong = {}
    only = _("%(name)s is only in the archive: no test runs on it.")
    if not pool.host.is_reachable_kind:
        wrong["host"] = only % {"name": pool.host.name}
    absent = [host.name for host in clients if not host.is_reachable_kind]
    if absent:
        wrong["clients"] = only % {"name": absent[0]}
    if pool.host in clients:
        words = _("%(name)s is the first client host already.")
        wrong["clients"] = words % {"name": pool.host.name}
    return wrong


def _name_fault(pool: Pool) -> dict[str, str]:
    if Pool.objects.filter(host=pool.host, name=pool.name).exclude(pk=pool.pk).exists():
        words = _("%(host)s has an entry for a pool of this name already.")
        return {"name": words % {"host": pool.host.name}}
    same = Pool.objects.filter(cluster=pool.cluster_id, name=pool.name).exclude(pk=pool.pk)
    other = same.select_related("host").first() if pool.cluster_id else None
    if other is not None:
        words = _("%(host)s has an entry for this pool of the cluster already.")
        return {"name": words % {"host": other.host.name}}
    return {}


def _faults(pool: Pool) -> dict[str, str]:
    """Return the faults in the layout of an ephemeral pool, by field."""
    wrong = {}
    if SYSTEM_POOLS.fullmatch(pool.name):
        words = _("Ceph or its clients keep data in pools named %(name)s: choose another name.")
        wrong["name"] = words % {"name": pool.name}
    if pool.pool_type == Pool.PoolType.REPLICATED:
        if pool.replicas is not None and pool.replicas > MAX_REPLICAS:
            wrong["replicas"] = _("A pool has 1 to %(most)d replicas.") % {"most": MAX_REPLICAS}
        return wrong
    if pool.k < MIN_K or pool.k > MAX_CHUNKS:
        limits = {"least": MIN_K, "most": MAX_CHUNKS}
        wrong["k"] = _("%(least)d to %(most)d data chunks.") % limits
    if pool.m < 1 or pool.m > MAX_CHUNKS:
        wrong["m"] = _("1 to %(most)d coding chunks.") % {"most": MAX_CHUNKS}
    return wrong


def _audit_entry(pool: Pool, draft: PoolDraft) -> dict[str, object]:
    """Return the entry for the audit log."""
    values = {name: getattr(pool, name) for name in COLUMNS if name != "host"}
    names = [host.name for host in (draft.host, *draft.clients)]
    return values | {"hosts": names, "team": draft.team.name if draft.team else None}
