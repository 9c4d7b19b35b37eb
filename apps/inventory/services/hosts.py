"""Hosts: create, change, enable."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from itertools import chain, count

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import Credential, Host
from apps.inventory.services.asking import check_ask
from apps.inventory.services.credentials import credential_create
from apps.inventory.services.owned_rows import require_reachable
from apps.remote.connection import check_address, check_user

MAX_JUMPS = 4


@dataclass(frozen=True)
class HostDraft:
    """The fields of a host that an admin edits."""

    name: str
    kind: str = Host.Kind.SSH
    address: str = ""
    port: int = 22
    user: str = "root"
    privilege_mode: str = Host.PrivilegeMode.ROOT
    key_source: str = Host.KeySource.STORED
    credential: Credential | None = None
    jump: Host | None = None
    network_test_address: str = ""
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class NewKey:
    """A key that is created with the host: pasted, or a new pair if `private_key` is empty."""

    private_key: str = field(default="", repr=False)
    passphrase: str = field(default="", repr=False)


REACHED_BY = (
    "kind",
    "address",
    "port",
    "user",
    "privilege_mode",
    "key_source",
    "credential_id",
    "jump_id",
)


@transaction.atomic
def host_create(*, user: User, draft: HostDraft, new_key: NewKey | None = None) -> Host:
    """Create a host and request a check.

    Raises: ServiceError (400) with the invalid fields.
    """
    require_role(user, Role.ADMIN)
    host = Host()
    _fill(host, _with_key(draft, new_key, user))
    host.save()
    audit_record(user=user, action="create", subject=host, entry=_audit_entry(host))
    check_ask(host)
    return host


@transaction.atomic
def host_update(*, host: Host, user: User, draft: HostDraft, new_key: NewKey | None = None) -> Host:
    """Change a host. The pinned key stays: a moved machine presents the same key.

    Raises: ServiceError (400) with the invalid fields.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update().get(pk=host.pk)
    before = [getattr(host, name) for name in REACHED_BY]
    _fill(host, _with_key(draft, new_key, user))
    host.save()
    audit_record(user=user, action="change", subject=host, entry=_audit_entry(host))
    if before != [getattr(host, name) for name in REACHED_BY]:
        check_ask(host)
    names_touch()
    return host


@transaction.atomic
def host_enabled_set(*, host: Host, user: User, enabled: bool) -> Host:
    """Enable or disable a host; a disabled one is neither used nor checked."""
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    require_reachable(host)
    host.enabled = enabled
    host.save(update_fields=["enabled", "updated_at"])
    audit_record(user=user, action="enable" if enabled else "disable", subject=host)
    if enabled:
        check_ask(host)
    else:
        Host.objects.filter(pk=host.pk).update(check_requested_at=None, install_requested="")
    return host


@transaction.atomic
def local_host_ensure(*, user: User) -> Host:
    """Return the host of the worker's machine; create it if there is none."""
    host = Host.objects.filter(kind=Host.Kind.LOCAL).first()
    if host is not None:
        return host
    name = re.sub(r"[^A-Za-z0-9._-]", "-", platform.node().split(".")[0]).strip("-._") or "local"
    if Host.objects.filter(name=name).exists():
        name = f"{name}-local"[:64]
    rights = Host.PrivilegeMode.ROOT if os.geteuid() == 0 else Host.PrivilegeMode.USER
    return host_create(
        user=user, draft=HostDraft(name=name[:64], kind=Host.Kind.LOCAL, privilege_mode=rights)
    )


def _with_key(draft: HostDraft, new_key: NewKey | None, user: User) -> HostDraft:
    if new_key is None or draft.kind != Host.Kind.SSH:
        return draft
    credential = credential_create(
        user=user,
        name=free_key_name(draft.name),
        private_key=new_key.private_key,
        passphrase=new_key.passphrase,
    )
    return replace(draft, credential=credential, key_source=Host.KeySource.STORED)


def free_key_name(name: str) -> str:
    """Return an unused name for a key, with a number if needed."""
    taken = set(
        Credential.objects.filter(name__startswith=name[:64]).values_list("name", flat=True)
    )
    names = chain([name[:64]], (f"{name[:64]} {number}" for number in count(2)))
    return next(free for free in names if free not in taken)


def _fill(host: Host, draft: HostDraft) -> None:
    _check_kind(host, draft)
    for item in fields(draft):
        setattr(host, item.name, getattr(draft, item.name))
    host.tags = sorted(set(draft.tags))
    if host.kind != Host.Kind.SSH:
        host.address, host.jump, host.credential = "", None, None
        host.port, host.user = 22, ""
        host.network_test_address = host.network_test_address if host.is_local else ""
    elif host.key_source == Host.KeySource.AGENT:
        host.credential = None
    _check(host)


def _check(host: Host) -> None:
    try:
        host.full_clean(validate_constraints=False)  # _local_faults names the other host
    except ValidationError as error:
        raise from_validation_error(error) from error
    wrong = _local_faults(host) if host.is_local else {}
    if host.kind == Host.Kind.SSH:
        wrong = _ssh_faults(host)
    if host.network_test_address:
        wrong |= _fault("network_test_address", check_address, host.network_test_address)
    if wrong:
        raise ServiceError(" ".join(wrong.values()), wrong, status=400)


def _check_kind(host: Host, draft: HostDraft) -> None:
    """Refuse to make a reachable host one of the archive; the other way is allowed."""
    made_so = host.pk is not None and host.kind == Host.Kind.IMPORTED_ONLY
    if draft.kind == Host.Kind.IMPORTED_ONLY and not made_so:
        text = _("Only an import makes a host of the archive. Switch this one off instead.")
        raise ServiceError(text, {"kind": text}, status=400)


def _local_faults(host: Host) -> dict[str, str]:
    other = Host.objects.filter(kind=Host.Kind.LOCAL).exclude(pk=host.pk).first()
    if other is None:
        return {}
    return {"kind": _("This machine is already there as %(name)s.") % {"name": other.name}}


def _ssh_faults(host: Host) -> dict[str, str]:
    wrong = _fault("address", check_address, host.address)
    wrong |= _fault("user", check_user, host.user)
    if host.key_source == Host.KeySource.STORED and host.credential is None:
        wrong["credential"] = _("Choose a key, or let benchlab make one.")
    chain = _chain_fault(host)
    if chain:
        wrong["jump"] = chain
    return wrong


def _fault(name: str, check: Callable[[str], object], value: str) -> dict[str, str]:
    try:
        check(value)
    except ValueError as error:
        return {name: str(error)}
    return {}


def _chain_fault(host: Host) -> str:
    """Return why the jump hosts do not lead to the host, or ""."""
    step = host.jump
    for _number in range(MAX_JUMPS):
        if step is None:
            return ""
        if not step.is_reachable_kind:
            return _("This host is only in the archive; choose one that is reached over SSH.")
        if step.is_local:
            return _("This machine needs no jump; choose a host that is reached over SSH.")
        if step.pk == host.pk:
            return _("The jump hosts go round in a circle.")
        step = step.jump
    return "" if step is None else _("More than four jumps: is there no nearer way?")


def _audit_entry(host: Host) -> dict[str, object]:
    """Return the entry for the audit log."""
    return {name: getattr(host, name) for name in (*REACHED_BY, "network_test_address", "tags")}
