"""People's word on a Ceph cluster or a device that several hosts show."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.schemas.storable import cleaned
from apps.inventory.models import Disk, Host
from apps.remote.responses import ClusterOsd
from apps.tools.messages import TranslatableMessage, message

LONGEST_COMMAND = 300


@transaction.atomic
def host_cluster_store(
    *,
    host: Host,
    fsid: str,
    error: str = "",
    osds: Sequence[ClusterOsd] = (),
    restart: Sequence[str] = (),
) -> None:
    """Keep the id of the host's Ceph cluster as it said it, or why it has none, its OSDs, and the
    options of theirs that need a restart.

    The first id is kept as the one its runs claim. Another one later is only noted: what a host
    merely says must not move its claims onto somebody else's cluster.
    """
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    seen = _uuid(fsid)
    if fsid and not seen:
        error = message("It named no id of a Ceph cluster.")
    host.reported_fsid, host.fsid_error = (
        seen,
        error if isinstance(error, TranslatableMessage) else cleaned(error)[:500],
    )
    host.cluster_fsid = host.cluster_fsid or seen
    host.cluster_checked_at = timezone.now()
    fields = ["reported_fsid", "fsid_error", "cluster_fsid", "cluster_checked_at"]
    if seen:
        host.cluster_osds = cleaned(list(osds))
        host.cluster_options = cleaned(list(restart)) or host.cluster_options
        fields += ["cluster_osds", "cluster_options"]
    host.save(update_fields=fields)


@transaction.atomic
def host_cluster_accept(*, host: Host, fsid: str, user: User) -> Host:
    """The cluster that the host shows now is right; `fsid` is the one the person saw.

    Raises ServiceError (409) when it shows another one since, PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    if not host.reported_fsid or host.reported_fsid != fsid.strip():
        raise ServiceError(_("The host shows another Ceph cluster since, or none. Look again."))
    before, host.cluster_fsid = host.cluster_fsid, host.reported_fsid
    host.cluster_is_distinct = False
    host.osd_restart_mode = host.osd_restart_command = ""  # said of the cluster before
    fields = [
        "cluster_fsid",
        "cluster_is_distinct",
        "osd_restart_mode",
        "osd_restart_command",
        "updated_at",
    ]
    host.save(update_fields=fields)
    audit_record(
        user=user, action="accept Ceph cluster", subject=host, before=before, now=host.cluster_fsid
    )
    return host


@transaction.atomic
def host_cluster_set_distinct(*, host: Host, is_distinct: bool, user: User) -> Host:
    """Say that the host's Ceph cluster is not that of other hosts with this id (then no run waits
    for another one because of it), or take that back. Raises PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    host.cluster_is_distinct = is_distinct
    host.save(update_fields=["cluster_is_distinct", "updated_at"])
    audit_record(
        user=user,
        action="share Ceph cluster",
        subject=host,
        fsid=host.cluster_fsid,
        distinct=is_distinct,
    )
    return host


@transaction.atomic
def host_cluster_restart(*, host: Host, restart: str, command: str = "", user: User) -> Host:
    """Say whether and how tunings may restart the OSDs of the cluster that this host is a client
    of. Raises PermissionDenied below admin, ServiceError (400) for a command that is none.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    if restart and not host.cluster_fsid:
        raise ServiceError(_("It is no client of a Ceph cluster."))
    command = command.strip() if restart == Host.Restart.COMMAND else ""
    fault = _command_fault(command) if restart == Host.Restart.COMMAND else ""
    if restart not in ("", *Host.Restart.values) or fault:
        field = "command" if fault else "restart"
        text = fault or _("Choose one of these.")
        raise ServiceError(text, {field: text}, status=400)
    host.osd_restart_mode, host.osd_restart_command = restart, command
    host.save(update_fields=["osd_restart_mode", "osd_restart_command", "updated_at"])
    audit_record(
        user=user,
        action="restart Ceph daemons",
        subject=host,
        fsid=host.cluster_fsid,
        restart=restart,
        command=command,
    )
    return host


def _command_fault(command: str) -> str:
    """Why a text is no command that restarts one OSD, as a sentence."""
    try:
        words = shlex.split(command)
    except ValueError:
        return _("A quotation in this command has no end.")
    if not words or len(command) > LONGEST_COMMAND or not command.isprintable():
        return _("Write one line of at most %d characters.") % LONGEST_COMMAND
    if not any("{id}" in word for word in words[1:]):
        return _("Write {id} where the number of the OSD belongs: each is restarted by itself.")
    return ""


@transaction.atomic
def disk_set_distinct(*, disk: Disk, is_distinct: bool, user: User) -> Disk:
    """Say that the disk is not the device that other hosts show under its identity, or take that
    back. Raises PermissionDenied below disk owner.
    """
    require_role(user, Role.DISK_OWNER)
    disk = Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    disk.is_distinct_device = is_distinct
    disk.save(update_fields=["is_distinct_device", "updated_at"])
    audit_record(
        user=user, action="share device", subject=disk, identity=disk.identity, distinct=is_distinct
    )
    return disk


def _uuid(text: str) -> str:
    """An fsid as Ceph writes it; "" for anything else."""
    try:
        return str(uuid.UUID(text.strip()))
    except ValueError:
        return ""
