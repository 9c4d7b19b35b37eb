"""Hosts that were added together, and the authorities that vouch for host keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from apps.inventory.models import Host, HostAuthority, HostBatch
from apps.remote.known_hosts import (
    CertificateAuthority,
    RevokedKey,
    authority_of,
    revoked_lines,
    revoked_of,
    vouching,
)


def batches_for_list() -> QuerySet[HostBatch]:
    return HostBatch.objects.select_related("created_by").annotate(host_count=Count("hosts"))


def batch_hosts(batch: HostBatch) -> QuerySet[Host]:
    """Return the hosts of a batch with facts, in the order of their names."""
    rows = batch.hosts.select_related("facts", "credential", "jump")
    return rows.annotate(disk_count=Count("disks", filter=~Q(disks__device_path="")))


def hosts_for_password(batch: HostBatch) -> QuerySet[Host]:
    """Return hosts of a batch that use a stored key and were not reached with it yet."""
    reached = (Host.Health.OK, Host.Health.WARNING)
    rows = batch.hosts.filter(
        kind=Host.Kind.SSH, key_source=Host.KeySource.STORED, credential__isnull=False
    ).exclude(health__in=reached)
    return rows.select_related("credential", "jump__credential").order_by("name")


def wrong_hosts(rows: QuerySet[Host]) -> QuerySet[Host]:
    """Return hosts that are not in order: not checked, not trusted, with warnings, switched off."""
    return rows.exclude(health=Host.Health.OK, check_requested_at=None, enabled=True)


def stored_authorities() -> list[CertificateAuthority]:
    """Return all stored certificate authorities of host keys."""
    rows = HostAuthority.objects.filter(is_revoked=False).order_by("pk")
    return [authority_of(row.patterns, row.public_key) for row in rows]


def stored_revocations() -> list[RevokedKey]:
    """Return all stored revoked keys."""
    rows = HostAuthority.objects.filter(is_revoked=True).order_by("pk")
    return [revoked_of(row.patterns, row.public_key) for row in rows]


def wide_notes(authorities: Iterable[CertificateAuthority]) -> list[str]:
    """Return a sentence for each authority that may vouch for every host."""
    text = _("%(authority)s may vouch for the key of every host, also of those added later.")
    wide = [one for one in authorities if "*" in one.patterns.split(",")]
    return [text % {"authority": one.key.fingerprint} for one in wide]


def revoked_keys_of(host: Host) -> frozenset[str]:
    """Return the lines of the keys that are revoked for the host."""
    return revoked_lines(stored_revocations(), [host.address, host.name], host.port)


def authorities_of(host: Host) -> list[str]:
    """Return the keys of the authorities that may vouch for the host."""
    names = [host.address, host.name]
    authorities = vouching(stored_authorities(), names, host.port, revoked_keys_of(host))
    return [one.key.line for one in authorities]


def shared_keys(lines: list[str]) -> set[str]:
    """Return host keys that several hosts of a list show, or that another host has pinned."""
    counts = Counter(line for line in lines if line)
    pinned = Host.objects.filter(host_key__in=counts).values_list("host_key", flat=True)
    return {line for line, count in counts.items() if count > 1} | set(pinned)
