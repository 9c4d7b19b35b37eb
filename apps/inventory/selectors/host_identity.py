"""Host entries that are one machine, one Ceph cluster or one device, and how sure that is.

What a host says of itself is no proof: a host that gives another one's machine id must not hold up
that one's runs. Proven is an SSH host key, because a login succeeds only where its private half is;
and what this machine, on which benchlab's worker runs, says of itself.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection

from django.db.models import Q, QuerySet

from apps.inventory.models import Disk, Host

WWN = "wwn:"


def machines_of(hosts: Collection[int]) -> dict[int, set[str]]:
    """Names that these entries share with every entry of the same machine, by host: one query."""
    found: dict[int, set[str]] = {}
    columns = ("pk", "kind", "host_key", "facts__facts__machine_id", "facts__facts__ssh_keys")
    for pk, kind, pinned, machine, keys in Host.objects.filter(pk__in=hosts).values_list(*columns):
        if kind != Host.Kind.LOCAL:
            found[pk] = {_named(pinned)} if pinned else set()
            continue
        lines = [line for line in keys if isinstance(line, str)] if isinstance(keys, list) else []
        found[pk] = {_named(line) for line in lines}
        found[pk] |= {f"id:{machine}"} if isinstance(machine, str) and machine else set()
    return found


def entries_of_machines(names: Collection[str]) -> set[int]:
    """The host entries that have one of these names."""
    if not names:
        return set()
    usable = Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY)
    shown = usable.exclude(Q(host_key="") & ~Q(kind=Host.Kind.LOCAL)).values_list("pk", flat=True)
    return {pk for pk, own in machines_of(list(shown)).items() if own & set(names)}


def same_machine_id(host: Host) -> list[Host]:
    """Other entries that give the same machine id, although nothing proves that they are this
    machine: two entries of one with different SSH keys, a copied image, or a lie.
    """
    said = host.known.machine_id
    if not said:
        return []
    others = Host.objects.filter(facts__facts__machine_id=said).exclude(pk=host.pk)
    rows = list(others.exclude(kind=Host.Kind.IMPORTED_ONLY).order_by("name"))
    names = machines_of([host.pk, *(other.pk for other in rows)])
    return [other for other in rows if not names[other.pk] & names[host.pk]]


def same_identity(disk: Disk) -> QuerySet[Disk]:
    """Disks of other hosts that show the same world-wide name."""
    if not disk.identity.startswith(WWN):
        return Disk.objects.none()
    rows = Disk.objects.filter(identity=disk.identity).exclude(host=disk.host_id)
    return rows.exclude(device_path="").select_related("host").order_by("host__name")


def _named(line: str) -> str:
    """A public key line's fingerprint, "ssh:SHA256:..."."""
    blob = line.split()[1] if len(line.split()) > 1 else ""
    try:
        raw = base64.b64decode(blob, validate=True)
    except ValueError:
        raw = line.encode()
    digest = base64.b64encode(hashlib.sha256(raw).digest()).decode().rstrip("=")
    return f"ssh:SHA256:{digest}"
