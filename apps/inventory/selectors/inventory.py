"""Queries for hosts, disks and other targets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.models import AnyUser, OwnedModel, User
from apps.common.database.encryption import SecretUnreadable, decrypt
from apps.common.domain.keys import parse_key
from apps.common.errors import ServiceError
from apps.inventory.models import (
    Credential,
    Directory,
    Disk,
    GroupMember,
    Host,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.inventory.selectors.host_batches import revoked_keys_of
from apps.remote.agent.host.install import PACKAGES
from apps.remote.connection import Become, HostSpec
from apps.remote.errors import HostError
from apps.remote.keys import describe_key, pinned_key
from apps.tools.registry import packages

MEMBERS: dict[str, type[GroupMember]] = {"disk": Disk, "directory": Directory}
# Programs that the agent reads disks and BMCs with, which no tool declares.
READERS = {"smartctl": "smartmontools", "nvme": "nvme-cli", "ipmitool": "ipmitool"}
# Program to package, limited to the packages that the agent may install.
INSTALLABLE = {
    name: package for name, package in (packages() | READERS).items() if package in PACKAGES
}


def hosts_with_health() -> QuerySet[Host]:
    """Return hosts with facts and their numbers of present and of enrolled disks."""
    present = ~Q(disks__device_path="")
    return Host.objects.select_related("facts").annotate(
        disk_count=Count("disks", filter=present),
        enrolled_count=Count("disks", filter=present & Q(disks__enrolled_at__isnull=False)),
    )


def hosts_for_detail() -> QuerySet[Host]:
    return Host.objects.select_related("facts", "jump", "credential", "cluster")


def disks_for_list() -> QuerySet[Disk]:
    return Disk.objects.select_related("host", "enrolled_by", "model", "specification")


def disks_gone_unused() -> QuerySet[Disk]:
    """Return removed disks that are neither enrolled nor used by a plan or run."""
    return Disk.objects.filter(
        device_path="", enrolled_at=None, plan_targets=None, run_targets=None, memberships=None
    )


def directories_for_list() -> QuerySet[Directory]:
    return Directory.objects.select_related("host", "owner", "team")


def pools_for_list() -> QuerySet[Pool]:
    rows = Pool.objects.select_related("host__cluster", "cluster", "owner", "team")
    return rows.prefetch_related("clients")


def pairs_for_list() -> QuerySet[HostPair]:
    return HostPair.objects.select_related("client", "server")


def groups_for_list() -> QuerySet[TargetGroup]:
    return TargetGroup.objects.select_related("owner", "team").prefetch_related(
        "disks__host", "directories__host"
    )


def hosts_reachable() -> QuerySet[Host]:
    """Return hosts that tests can run on: all but those of the archive."""
    return Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY)


def hosts_held() -> QuerySet[Host]:
    """Return the hosts on hold after faults in a row."""
    return Host.objects.filter(held_since__isnull=False).order_by("name")


def editable_among(rows: Iterable[OwnedModel], user: AnyUser) -> set[int]:
    """Return the keys of the rows that the user may change, in one query.

    The rule is that of `OwnedModel.is_editable`.
    """
    if not isinstance(user, User) or not user.is_operator:
        return set()
    teams = set(user.teams.values_list("pk", flat=True))
    return {
        row.pk for row in rows if user.is_admin or row.owner_id == user.pk or row.team_id in teams
    }


def members_offered() -> list[GroupMember]:
    """Return possible members of a group, host by host: directories, then disks by node."""
    reachable = {"host__in": hosts_reachable()}
    disks = Disk.objects.filter(**reachable).exclude(device_path="", enrolled_at__isnull=True)
    rows: list[GroupMember] = [
        *Directory.objects.filter(**reachable).select_related("host").order_by("path"),
        *disks.select_related("host", "model").order_by("device_path"),
    ]
    return sorted(rows, key=lambda row: row.host.name)


def member_value(row: GroupMember) -> str:
    """Return the value of a member in forms and API: "disk:12" or "directory:3"."""
    return f"{'disk' if isinstance(row, Disk) else 'directory'}:{row.pk}"


def members_named(values: Iterable[str]) -> list[GroupMember]:
    """Return the disks and directories of such values with their hosts' facts, in order, each once.

    Raises: ServiceError (400) for an unknown value.
    """
    requested = list(dict.fromkeys(values))
    result: dict[str, GroupMember] = {}
    for kind, model in MEMBERS.items():
        keys = [_key(value) for value in requested if value.startswith(f"{kind}:")]
        rows: QuerySet[Any] = model.objects.select_related("host__facts")
        result |= {member_value(row): row for row in rows.filter(pk__in=keys)}
    unknown = [value for value in requested if value not in result]
    if unknown:
        text = _("There is no disk or directory %(value)s.") % {"value": unknown[0][:40]}
        raise ServiceError(text, {"members": text}, status=400)
    return [result[value] for value in requested]


def _key(value: str) -> int:
    """Return the number after the colon; 0, which no row has, if it is no number."""
    return parse_key(value.partition(":")[2])


def fingerprint(line: str) -> str:
    """Return a key's fingerprint as `ssh-keygen -l` prints it ("SHA256:..."); "" without a key."""
    return describe_key(pinned_key(line, "")).fingerprint if line else ""


def key_context(credential: Credential) -> str:
    """Return the context that the ciphertext of a private key is bound to."""
    return f"credential.key:{credential.pk}"


def passphrase_context(credential: Credential) -> str:
    return f"credential.passphrase:{credential.pk}"


def host_spec(host: Host) -> HostSpec:
    """Return the connection of the host, with its key decrypted.

    Raises: HostError if the key cannot be decrypted.
    """
    if not host.is_reachable_kind:
        raise HostError(
            "unreachable", _("%(host)s is only in benchlab's archive.") % {"host": host.name}
        )
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
        revoked=revoked_keys_of(host),
    )


def credential_opens(credential: Credential) -> None:
    """Decrypt a stored key and its passphrase, to test them.

    Raises: SecretUnreadable.
    """
    decrypt(credential.encrypted_key, key_context(credential))
    if credential.encrypted_passphrase:
        decrypt(credential.encrypted_passphrase, passphrase_context(credential))


def _key_of(host: Host) -> tuple[str | None, str | None]:
    credential = host.credential
    if host.key_source != Host.KeySource.STORED or credential is None:
        return None, None
    try:
        key = decrypt(credential.encrypted_key, key_context(credential))
        sealed = credential.encrypted_passphrase
        return key, decrypt(sealed, passphrase_context(credential)) if sealed else None
    except SecretUnreadable as error:
        raise HostError("refused_login", f"{host.name}: {error}") from error


def tags_in_use() -> Iterable[str]:
    """Return every tag of a host, sorted."""
    return sorted({tag for tags in Host.objects.values_list("tags", flat=True) for tag in tags})


def _become(host: Host) -> Become:
    if host.privilege_mode == Host.PrivilegeMode.SUDO:
        return "sudo"
    return "user" if host.privilege_mode == Host.PrivilegeMode.USER else "root"
