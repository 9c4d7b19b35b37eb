"""Reads about hosts and disks."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from apps.common.secrets import SecretUnreadable, reveal
from apps.inventory.models import Credential, Directory, Disk, Host
from apps.remote.connection import Become, HostSpec
from apps.remote.errors import HostError
from apps.remote.keys import describe_key, pinned_key

# The package a tool is in, from the agent's short list (apps/remote/agent/install.py).
INSTALLABLE = {
    "fio": "fio",
    "iperf3": "iperf3",
    "iperf": "iperf",
    "iozone": "iozone3",
    "rados": "ceph-common",
    "iostat": "sysstat",
}


def hosts_with_health() -> QuerySet[Host]:
    """Hosts with their facts and the number of disks they have now and of those that are
    enrolled."""
    present = ~Q(disks__node="")
    return Host.objects.select_related("facts").annotate(
        disk_count=Count("disks", filter=present),
        enrolled_count=Count("disks", filter=present & Q(disks__enrolled_at__isnull=False)),
    )


def hosts_for_detail() -> QuerySet[Host]:
    return Host.objects.select_related("facts", "jump", "credential")


def disks_for_list() -> QuerySet[Disk]:
    return Disk.objects.select_related("host", "enrolled_by")


def directories_for_list() -> QuerySet[Directory]:
    return Directory.objects.select_related("host", "owner", "team")


def fingerprint(line: str) -> str:
    """A public key line's fingerprint as `ssh-keygen -l` prints it ("SHA256:..."); "" for no
    key."""
    return describe_key(pinned_key(line, "")).fingerprint if line else ""


def key_context(credential: Credential) -> str:
    """Where a private key is kept: what its ciphertext is bound to."""
    return f"credential.key:{credential.pk}"


def passphrase_context(credential: Credential) -> str:
    return f"credential.passphrase:{credential.pk}"


def host_spec(host: Host) -> HostSpec:
    """How to reach the host, with its key decrypted. Raises HostError when the key cannot be
    opened."""
    if host.is_local:
        return HostSpec(local=True, become=_become(host))
    private_key, passphrase = _key_of(host)
    return HostSpec(
        address=host.address,
        port=host.port,
        user=host.user,
        private_key=private_key,
        passphrase=passphrase,
        agent=host.key_source == Host.KeySource.AGENT,
        host_key=host.host_key or None,
        jump=host_spec(host.jump) if host.jump is not None else None,
        become=_become(host),
    )


def _key_of(host: Host) -> tuple[str | None, str | None]:
    credential = host.credential
    if host.key_source != Host.KeySource.STORED or credential is None:
        return None, None
    try:
        key = reveal(credential.encrypted_key, key_context(credential))
        sealed = credential.encrypted_passphrase
        return key, reveal(sealed, passphrase_context(credential)) if sealed else None
    except SecretUnreadable as error:
        raise HostError("refused_login", f"{host.name}: {error}") from error


def tags_in_use() -> Iterable[str]:
    """Every tag that a host has, sorted."""
    return sorted({tag for tags in Host.objects.values_list("tags", flat=True) for tag in tags})


def _become(host: Host) -> Become:
    if host.become == Host.Become.SUDO:
        return "sudo"
    return "user" if host.become == Host.Become.USER else "root"
