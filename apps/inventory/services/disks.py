"""Disks: synchronised with the host's facts, enrolled by users."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.domain.tags import tagged
from apps.common.errors import ServiceError
from apps.common.schemas.storable import cleaned
from apps.common.services import names_touch
from apps.inventory.domain.facts import rows
from apps.inventory.models import Disk, Host
from apps.inventory.schemas.host_facts import KnownDisk, Raw, known
from apps.inventory.selectors.host_identity import short_identity
from apps.inventory.selectors.inventory import disks_gone_unused
from apps.inventory.services.asking import check_ask
from apps.inventory.services.owned_rows import require_reachable
from apps.inventory.services.specifications import disk_model_ensure

MAX_IDENTITY_LENGTH = 400
UNUSED = timedelta(days=7)
"""Time after which a disk that is gone, was never enrolled and has no results is deleted."""


@transaction.atomic
def disks_sync(*, host: Host, facts: Raw) -> bool:
    """Synchronise the host's disks with its facts; return True if the name of a disk changed.

    A removed disk keeps its row without a node name. Devices with one identity are marked as
    ambiguous. An enrolled disk with another size loses its enrolment.
    """
    if not isinstance(facts.get("disks"), list):
        return False  # The host could not list disks: nothing is known to have changed.
    names = host.disks.values_list("identity", "device_path", "model")
    names_before = set(names)
    reported = [(_identity(row), row) for row in rows(cleaned(facts), "disks")]
    times = Counter(identity for identity, _row in reported if identity)
    before = {disk.identity: disk for disk in host.disks.select_for_update(of=("self",))}
    for identity, row in {identity: row for identity, row in reported if identity}.items():
        disk = before.pop(identity, None) or Disk(host=host, identity=identity)
        _fill(disk, known(KnownDisk, row))
        disk.facts = {**row, "ambiguous": times[identity] > 1}
        _end_if_other(disk)
        disk.save()
    gone = [disk.pk for disk in before.values()]
    Disk.objects.filter(pk__in=gone).exclude(device_path="").update(device_path="")
    disks_due().filter(pk__in=gone).delete()
    return set(names.all()) != names_before


def disks_due() -> QuerySet[Disk]:
    """Return disks that their host no longer has, last seen 7 days ago, and that are unused."""
    return disks_gone_unused().filter(
        tags=[],
        groups=None,
        specification=None,
        backing__isnull=True,
        last_seen_at__lt=timezone.now() - UNUSED,
    )


@transaction.atomic
def disk_tag(
    *, disk: Disk, user: User, add: Iterable[str] = (), remove: Iterable[str] = ()
) -> Disk:
    """Add and remove tags of a disk.

    Raises: PermissionDenied.
    """
    require_role(user, Role.OPERATOR)
    disk = Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    disk.tags = tagged(disk.tags, add, remove)
    disk.save(update_fields=["tags", "updated_at"])
    audit_record(user=user, action="tag", subject=disk, tags=disk.tags)
    names_touch()
    return disk


def _identity(row: Raw) -> str:
    """Return a disk's identity; "" if it has none that can be stored."""
    identity = row.get("identity")
    is_usable = isinstance(identity, str) and len(identity) <= MAX_IDENTITY_LENGTH
    return str(identity) if is_usable else ""


def _fill(disk: Disk, seen: KnownDisk) -> None:
    disk.device_type = (seen.kind or "")[:20]
    disk.device_path = (seen.node or "")[:80]
    disk.size = seen.size or 0
    name = (seen.model or "").strip()[:120]
    disk.model = disk_model_ensure(name=name, rotational=seen.rotational)
    disk.serial = (seen.serial or "").strip()[:120]
    disk.rotational = seen.rotational
    disk.last_seen_at = timezone.now()


def _end_if_other(disk: Disk) -> None:
    if disk.is_enrolled and disk.enrolled_size != disk.size:
        audit_record(
            user=None,
            action="withdraw",
            subject=disk,
            reason="its size changed",
            before=disk.enrolled_size,
            now=disk.size,
        )
        _withdrawn(disk)


@transaction.atomic
def disk_enrol(*, disk: Disk, user: User, confirmation: str) -> Disk:
    """Mark a disk as expendable: tests may destroy everything on it.

    `confirmation`: its identity, typed, or the end of it that no other disk of the host has.
    Enrolling again confirms the present content; a check reads it.
    Raises: ServiceError (400 for a wrong confirmation, 409 for a disk in use); PermissionDenied
    below disk owner.
    """
    require_role(user, Role.DISK_OWNER)
    disk = Disk.objects.select_for_update(of=("self",)).select_related("host").get(pk=disk.pk)
    require_reachable(disk.host)
    if confirmation.strip() not in {disk.identity, short_identity(disk) or disk.identity}:
        text = _("Type the disk's identity exactly as it is shown.")
        raise ServiceError(text, {"confirm": text}, status=400)
    enrol_locked(disk, user)
    if disk.host.enabled:
        check_ask(disk.host)
    return disk


def enrol_locked(disk: Disk, user: User, listed: Mapping[str, Any] | None = None) -> None:
    """Enrol a disk that the caller has locked, whose host is reachable and which is confirmed.

    `listed`: the row of a list that names the disk, for the audit log.
    Raises: ServiceError (409) for a disk in use.
    """
    obstacles = disk.enrolment_obstacles()
    if obstacles:
        raise ServiceError(
            _("This disk cannot be enrolled. %(why)s") % {"why": " ".join(obstacles)}
        )
    disk.enrolled_by, disk.enrolled_at, disk.enrolled_size = user, timezone.now(), disk.size
    disk.fingerprint, disk.preconditioning, disk.content_changed = None, None, ""
    disk.save()
    row: dict[str, Any] = {"list": listed} if listed else {}
    audit_record(
        user=user, action="enrol", subject=disk, identity=disk.identity, size=disk.size, **row
    )


@transaction.atomic
def disk_withdraw(*, disk: Disk, user: User) -> Disk:
    """End the enrolment: no further attempt writes to the disk; running ones continue."""
    require_role(user, Role.DISK_OWNER)
    disk = Disk.objects.select_for_update(of=("self",)).select_related("host").get(pk=disk.pk)
    _withdrawn(disk)
    disk.save()
    audit_record(user=user, action="withdraw", subject=disk, identity=disk.identity)
    return disk


@transaction.atomic
def disk_set_distinct(*, disk: Disk, is_distinct: bool, user: User) -> Disk:
    """Declare that a disk is not the device that other hosts show under its identity.

    False revokes that. Raises: PermissionDenied below disk owner.
    """
    require_role(user, Role.DISK_OWNER)
    disk = Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    disk.is_distinct_device = is_distinct
    disk.save(update_fields=["is_distinct_device", "updated_at"])
    audit_record(
        user=user, action="share device", subject=disk, identity=disk.identity, distinct=is_distinct
    )
    return disk


def _withdrawn(disk: Disk) -> None:
    disk.enrolled_by = disk.enrolled_at = disk.enrolled_size = None
    disk.fingerprint, disk.preconditioning, disk.content_changed = None, None, ""
