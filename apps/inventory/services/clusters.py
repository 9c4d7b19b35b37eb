"""Ceph clusters: stored from host checks, confirmed and configured by admins.

Locks are taken in the order host, cluster.
"""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.schemas.storable import cleaned
from apps.inventory.models import CephCluster, Host, Pool
from apps.inventory.services.asking import check_ask
from apps.remote.agent.ceph.daemon_names import DAEMON_KINDS
from apps.remote.cluster_responses import CephDaemon, ClusterOsd
from apps.tools.messages import TranslatableMessage, message

MAX_COMMAND_LENGTH = 300
NO_SERVICES: Mapping[str, Sequence[str]] = MappingProxyType({})


@transaction.atomic
def host_cluster_store(
    *,
    host: Host,
    fsid: str,
    error: str = "",
    osds: Sequence[ClusterOsd] = (),
    daemons: Sequence[CephDaemon] = (),
    options: Sequence[str] = (),
    restart: Sequence[str] = (),
    services: Mapping[str, Sequence[str]] = NO_SERVICES,
) -> None:
    """Store the fsid that a host reports, or why it reports none.

    The first fsid decides which cluster the host's runs claim. A different one later is only
    stored in `reported_fsid`: a report alone must not move claims to another cluster. `osds`,
    `daemons` (monitors and MDS), `options` (names of all options), `restart` (those that need a
    restart) and `services` (the kinds of daemons that read each) are stored for the cluster unless
    the fsid differs.
    """
    host = _locked(host)
    reported = _uuid(fsid)
    if fsid and not reported:
        error = message("It named no id of a Ceph cluster.")
    host.reported_fsid = reported
    host.fsid_error = error if isinstance(error, TranslatableMessage) else cleaned(error)[:500]
    host.fsid_checked_at = timezone.now()
    host.save(update_fields=["reported_fsid", "fsid_error", "fsid_checked_at"])
    if not reported:
        return
    cluster = _assign(host, host.cluster or _shared_cluster(reported))
    if cluster.fsid != reported:
        return
    cluster.osds, cluster.daemons = cleaned(list(osds)), cleaned(list(daemons))
    if restart:
        cluster.restart_options = cleaned(list(restart))
        cluster.option_daemons = cleaned({name: list(kinds) for name, kinds in services.items()})
    cluster.option_names = cleaned(list(options)) or cluster.option_names
    cluster.checked_at = host.fsid_checked_at
    fields = ["osds", "daemons", "option_names", "restart_options", "option_daemons"]
    cluster.save(update_fields=[*fields, "checked_at", "updated_at"])


@transaction.atomic
def host_cluster_accept(*, host: Host, fsid: str, user: User) -> Host:
    """Assign a host to the cluster that it reports; `fsid` is the one shown to the admin.

    Raises: PermissionDenied below admin; ServiceError (409) if the host reports another fsid.
    """
    require_role(user, Role.ADMIN)
    host = _locked(host)
    if not host.reported_fsid or host.reported_fsid != fsid.strip():
        raise ServiceError(_("The host shows another Ceph cluster since, or none. Look again."))
    before = host.cluster.fsid if host.cluster else ""
    _reassign(host, _shared_cluster(host.reported_fsid))
    audit_record(
        user=user,
        action="accept Ceph cluster",
        subject=host,
        before=before,
        now=host.reported_fsid,
    )
    return host


@transaction.atomic
def host_cluster_set_distinct(*, host: Host, is_distinct: bool, user: User) -> Host:
    """Declare that a host's cluster is not that of other hosts with this fsid, or revoke that.

    A distinct cluster has a row of its own, without permission to restart daemons.
    Raises: PermissionDenied below admin; ServiceError if the host has no cluster.
    """
    require_role(user, Role.ADMIN)
    host = _locked(host)
    if host.cluster is None:
        raise ServiceError(_no_cluster())
    fsid = host.cluster.fsid
    if host.cluster.is_distinct != is_distinct:
        own = CephCluster.objects.create(fsid=fsid, is_distinct=True) if is_distinct else None
        _reassign(host, own or _shared_cluster(fsid))
    audit_record(
        user=user, action="share Ceph cluster", subject=host, fsid=fsid, distinct=is_distinct
    )
    return host


@transaction.atomic
def host_cluster_restart(
    *, host: Host, restart: str, command: str = "", daemon: str = "osd", user: User
) -> Host:
    """Set whether and how tuning profiles may restart daemons of a host's cluster.

    `daemon`: their kind, osd, mon or mds; each is allowed by itself.
    Raises: PermissionDenied below admin; ServiceError (400) for an unusable command.
    """
    require_role(user, Role.ADMIN)
    host = _locked(host)
    if restart and host.cluster is None:
        raise ServiceError(_no_cluster())
    is_command = restart == CephCluster.RestartMode.COMMAND
    command = command.strip() if is_command else ""
    fault = _command_fault(command) if is_command else ""
    unknown = restart not in ("", *CephCluster.RestartMode.values)
    if unknown or fault or daemon not in DAEMON_KINDS:
        field = "command" if fault else "restart" if unknown else "daemon"
        text = fault or _("Choose one of these.")
        raise ServiceError(text, {field: text}, status=400)
    if host.cluster is not None:
        cluster = CephCluster.objects.select_for_update().get(pk=host.cluster.pk)
        cluster.set_restart(daemon, restart, command)
        fields = [f"{daemon}_restart_mode", f"{daemon}_restart_command", "updated_at"]
        cluster.save(update_fields=fields)
        host.cluster = cluster
    audit_record(
        user=user,
        action="restart Ceph daemons",
        subject=host,
        fsid=host.cluster.fsid if host.cluster else "",
        daemon=daemon,
        restart=restart,
        command=command,
    )
    return host


@transaction.atomic
def host_cluster_disturbances(
    *, host: Host, allowed: bool, stop: str = "", start: str = "", user: User
) -> Host:
    """Allow or forbid disturbances of a host's cluster.

    `stop`, `start`: commands for one OSD, {id} for its number; both empty: its systemd unit.
    Raises: PermissionDenied below admin; ServiceError without a confirmed cluster, or (400) for
    unusable commands.
    """
    require_role(user, Role.ADMIN)
    host = _locked(host)
    if host.cluster is None or host.cluster_changed:
        raise ServiceError(_no_cluster())
    commands = {"stop": stop.strip(), "start": start.strip()} if allowed else {}
    given = {name: text for name, text in commands.items() if text}
    faults = {name: fault for name, text in given.items() if (fault := _command_fault(text))}
    if len(given) == 1:
        missing = next(iter(commands.keys() - given.keys()))
        faults[missing] = _("A command that stops an OSD needs one that starts it.")
    if faults:
        raise ServiceError(next(iter(faults.values())), faults, status=400)
    cluster = CephCluster.objects.select_for_update().get(pk=host.cluster.pk)
    cluster.disturbances_allowed_at = timezone.now() if allowed else None
    cluster.osd_stop_command = given.get("stop", "")
    cluster.osd_start_command = given.get("start", "")
    cluster.save(
        update_fields=[
            *("disturbances_allowed_at", "osd_stop_command", "osd_start_command", "updated_at")
        ]
    )
    host.cluster = cluster
    audit_record(
        user=user,
        action="allow disturbances",
        subject=host,
        fsid=cluster.fsid,
        allowed=allowed,
        **commands,
    )
    return host


def _locked(host: Host) -> Host:
    rows = Host.objects.select_for_update(of=("self",)).select_related("cluster")
    return rows.get(pk=host.pk)


def _shared_cluster(fsid: str) -> CephCluster:
    """Return the row that hosts of this fsid share."""
    return CephCluster.objects.get_or_create(fsid=fsid, is_distinct=False)[0]


def _assign(host: Host, cluster: CephCluster) -> CephCluster:
    """Assign a host and its pools to a cluster; return the cluster, locked.

    A pool stays without a cluster while another entry has its name there. The lock serialises
    checks of hosts that have pools of one name.
    """
    cluster = CephCluster.objects.select_for_update().get(pk=cluster.pk)
    if host.cluster_id != cluster.pk:
        host.cluster = cluster
        host.save(update_fields=["cluster", "updated_at"])
    pools = Pool.objects.filter(host=host)
    others = Pool.objects.filter(cluster=cluster).exclude(host=host)
    taken = list(others.filter(name__in=pools.values("name")).values_list("name", flat=True))
    pools.filter(name__in=taken).exclude(cluster=None).update(cluster=None)
    pools.exclude(name__in=taken).exclude(cluster=cluster).update(cluster=cluster)
    return cluster


def _reassign(host: Host, cluster: CephCluster) -> None:
    """Move a host to another cluster and request a check, which reads the OSDs of the cluster.

    A distinct cluster that no host uses any more is deleted.
    """
    before = host.cluster
    _assign(host, cluster)
    if before is not None and before.is_distinct and before.pk != cluster.pk:
        before.delete()
    if host.enabled:
        check_ask(host)


def _no_cluster() -> str:
    return _("It is no client of a Ceph cluster.")


def _command_fault(command: str) -> str:
    """Return why a text is no command that restarts one daemon, or ""."""
    try:
        arguments = shlex.split(command)
    except ValueError:
        return _("A quotation in this command has no end.")
    if not arguments or len(command) > MAX_COMMAND_LENGTH or not command.isprintable():
        return _("Write one line of at most %d characters.") % MAX_COMMAND_LENGTH
    if not any("{id}" in argument for argument in arguments[1:]):
        return _("Write {id} where the id of the daemon belongs: each is restarted by itself.")
    return ""


def _uuid(text: str) -> str:
    """Return an fsid as Ceph writes it; "" for any other text."""
    try:
        return str(uuid.UUID(text.strip()))
    except ValueError:
        return ""
