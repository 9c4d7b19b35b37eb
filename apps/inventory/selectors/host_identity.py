"""Host entries of one machine and disks of one device.

Reported identities are no proof: a host that reports the machine id of another one must not block
its runs. Proof is an SSH host key, because a login needs its private half, and the facts of the
worker's own machine.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from apps.inventory.models import Disk, Host

WWN = "wwn:"
SHORT_IDENTITY = 8


@dataclass(frozen=True)
class OtherEntries:
    """Names of other entries: proven to be the same machine, or with its machine id only."""

    proven: list[str]
    reported: list[str]


def machines_of(hosts: Collection[int]) -> dict[int, set[str]]:
    """Return the machine names of these entries by host; entries of one machine share a name."""
    result: dict[int, set[str]] = {}
    columns = ("pk", "kind", "host_key", "facts__facts__machine_id", "facts__facts__ssh_keys")
    for pk, kind, pinned, machine, keys in Host.objects.filter(pk__in=hosts).values_list(*columns):
        if kind != Host.Kind.LOCAL:
            result[pk] = {_named(pinned)} if pinned else set()
            continue
        lines = [line for line in keys if isinstance(line, str)] if isinstance(keys, list) else []
        result[pk] = {_named(line) for line in lines}
        result[pk] |= {f"id:{machine}"} if isinstance(machine, str) and machine else set()
    return result


def entries_of_machines(names: Collection[str]) -> set[int]:
    """Return the host entries that have one of these names."""
    if not names:
        return set()
    usable = Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY)
    shown = usable.exclude(Q(host_key="") & ~Q(kind=Host.Kind.LOCAL)).values_list("pk", flat=True)
    return {pk for pk, own in machines_of(list(shown)).items() if own & set(names)}


def same_machine_id(host: Host) -> list[Host]:
    """Return other entries with the same machine id that are not proven to be this machine.

    Causes: two entries with different SSH keys, a copied image, or a false report.
    """
    machine_id = host.known.machine_id
    if not machine_id:
        return []
    others = Host.objects.filter(facts__facts__machine_id=machine_id).exclude(pk=host.pk)
    rows = list(others.exclude(kind=Host.Kind.IMPORTED_ONLY).order_by("name"))
    names = machines_of([host.pk, *(other.pk for other in rows)])
    return [other for other in rows if not names[other.pk] & names[host.pk]]


def other_entries(hosts: Collection[int]) -> dict[int, OtherEntries]:
    """Return the other entries of the machines of these hosts; hosts without any are left out."""
    own = Host.objects.filter(pk__in=hosts).values_list("host_key", "facts__facts__machine_id")
    pairs = list(own.distinct())
    keys = [key for key, _machine in pairs if key]
    ids = [machine for _key, machine in pairs if isinstance(machine, str) and machine]
    usable = Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY).order_by("name")
    rows = usable.filter(Q(host_key__in=keys) | Q(facts__facts__machine_id__in=ids)).values_list(
        "pk", "name", "facts__facts__machine_id"
    )
    found = {pk: (name, machine) for pk, name, machine in rows}
    names = machines_of(found)
    result = {}
    for host in set(hosts) & found.keys():
        proven = [pk for pk in found if pk != host and names[pk] & names[host]]
        reported = [
            pk
            for pk, (_name, machine) in found.items()
            if pk != host and pk not in proven and machine and machine == found[host][1]
        ]
        if proven or reported:
            result[host] = OtherEntries(
                [found[pk][0] for pk in proven], [found[pk][0] for pk in reported]
            )
    return result


def short_identity(disk: Disk) -> str:
    """Return the last 8 characters of the identity; "" if another disk of the host has them too."""
    short = disk.identity[-SHORT_IDENTITY:]
    others = Disk.objects.filter(host=disk.host_id, identity__endswith=short).exclude(pk=disk.pk)
    return "" if short == disk.identity or others.exists() else short


def same_identity(disk: Disk) -> QuerySet[Disk]:
    """Return disks of other hosts with the same world-wide name."""
    if not disk.identity.startswith(WWN):
        return Disk.objects.none()
    rows = Disk.objects.filter(identity=disk.identity).exclude(host=disk.host_id)
    return rows.exclude(device_path="").select_related("host").order_by("host__name")


def _named(line: str) -> str:
    """Return the fingerprint of a public key line, "ssh:SHA256:..."."""
    blob = line.split()[1] if len(line.split()) > 1 else ""
    try:
        raw = base64.b64decode(blob, validate=True)
    except ValueError:
        raw = line.encode()
    digest = base64.b64encode(hashlib.sha256(raw).digest()).decode().rstrip("=")
    return f"ssh:SHA256:{digest}"
