"""What a list of hosts would do: each row compared with the existing hosts. Nothing is written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.common.errors import ServiceError, validation_fields
from apps.inventory.domain.host_lists import HostRow, ListError, read_host_list, short
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.host_batches import stored_authorities, stored_revocations, wide_notes
from apps.inventory.selectors.host_plan_jumps import JumpTable
from apps.remote.connection import check_address, check_user
from apps.remote.known_hosts import (
    CertificateAuthority,
    KnownHosts,
    KnownHostsError,
    RevokedKey,
    known_key,
    parse_known_hosts,
    revoked_lines,
    vouching,
)

NEW, SAME, CHANGED, REFUSED = "new", "same", "changed", "refused"
STATES = (REFUSED, NEW, CHANGED, SAME)
NEW_KEY, AGENT = "new", "agent"
COMPARED = ("address", "port", "user", "jump_name", "tags", "key_name")
MAX_KNOWN_HOSTS = 1 << 20


@dataclass(frozen=True)
class ListOptions:
    """A list of hosts, and the values of new hosts that it leaves out.

    `form`: "" finds it by the content. `key`: NEW_KEY (one pair for all new hosts), AGENT, or the
    name of a key. `jump`: the name of a host.
    """

    text: str
    form: str = ""
    known_hosts: str = ""
    user: str = "root"
    port: int = 22
    privilege_mode: str = Host.PrivilegeMode.ROOT
    key: str = NEW_KEY
    jump: str = ""
    tags: tuple[str, ...] = ()


@dataclass
class PlannedRow:
    """A row of the preview. `values`: the host's fields after it; `host`: the existing host.

    `changes`: (field, before, after). `host_key`: the line to pin. `authority`: the fingerprint
    of an authority that may vouch for the host. `token`: changes with everything that is shown.
    """

    line: int
    name: str
    state: str = REFUSED
    host: Host | None = None
    values: dict[str, Any] = field(default_factory=dict)
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    host_key: str = ""
    authority: str = ""
    token: str = ""


@dataclass(frozen=True)
class HostPlan:
    """All rows in the list's order. `notes`: what of the texts is not used."""

    form: str
    rows: list[PlannedRow]
    notes: list[str]
    authorities: list[CertificateAuthority]
    revoked: list[RevokedKey]

    def count(self, state: str) -> int:
        return sum(row.state == state for row in self.rows)


def plan_hosts(options: ListOptions) -> HostPlan:
    """Compare a list with the existing hosts.

    Raises: ServiceError (400) if nothing of the list can be read.
    """
    try:
        listed = read_host_list(options.text, options.form)
    except ListError as error:
        raise ServiceError(str(error), {"text": str(error)}, status=400) from error
    if len(options.known_hosts) > MAX_KNOWN_HOSTS:
        text = _("The known_hosts text is larger than 1 MiB.")
        raise ServiceError(text, {"known_hosts": text}, status=400)
    known = parse_known_hosts(options.known_hosts)
    planner = _Planner(options, known)
    rows = [planner.row(row) for row in listed.rows]
    jumps = JumpTable(planner.hosts, rows)
    jumps.resolve()
    _refuse_doubles(rows)
    jumps.check_chains()
    for row in rows:
        _finish(row)
    notes = [*listed.notes, *(localize_message(fault) for fault in known.faults[:20])]
    notes += wide_notes(known.authorities)
    return HostPlan(listed.form, rows, notes, known.authorities, known.revoked)


class _Planner:
    """The existing hosts and keys that rows are compared with."""

    def __init__(self, options: ListOptions, known: KnownHosts) -> None:
        self.options, self.known = options, known
        hosts = Host.objects.select_related("jump__jump__jump__jump", "credential")
        self.hosts = {host.name: host for host in hosts}
        self.by_address = {
            (host.address.lower(), host.port, host.jump.name if host.jump else ""): host
            for host in self.hosts.values()
            if host.kind == Host.Kind.SSH
        }
        self.credentials = {row.name: row for row in Credential.objects.all()}
        self.authorities = [*stored_authorities(), *known.authorities]
        self.revoked = [*stored_revocations(), *known.revoked]

    def row(self, listed: HostRow) -> PlannedRow:
        """Return the planned row, without what concerns several rows."""
        row = PlannedRow(listed.line, listed.name, errors=list(listed.errors))
        row.host = self.hosts.get(listed.name)
        if not listed.name:
            row.errors.append(_("It has no name."))
        if row.host and row.host.is_local:
            row.errors.append(_("This host is the worker's machine; it is not reached over SSH."))
        row.values = self._values(listed, row)
        if not listed.errors and listed.name:
            row.errors += _faults(row)
        if not row.errors:
            self._trust(row)
        return row

    def _values(self, listed: HostRow, row: PlannedRow) -> dict[str, Any]:
        options = self.options
        old = row.host if row.host and row.host.is_reachable_kind else None
        values: dict[str, Any] = {
            "name": listed.name,
            "address": old.address if old else listed.name,
            "port": old.port if old else options.port,
            "user": old.user if old else options.user,
            "privilege_mode": old.privilege_mode if old else options.privilege_mode,
            "network_test_address": old.network_test_address if old else "",
            "jump_name": (old.jump.name if old.jump else "") if old else options.jump,
            "tags": sorted(old.tags if old else options.tags),
            "key_name": _key_name(old) if old else options.key,
        }
        for name in ("address", "user"):
            if (given := getattr(listed, name)) is not None:
                values[name] = given
        if listed.jump is not None:
            values["jump_name"] = listed.jump
        if listed.port is not None:
            values["port"] = _port(listed.port, row)
        if listed.tags is not None:
            added = values["tags"] if listed.adds_tags or not old else ()
            values["tags"] = sorted({*listed.tags, *added})
        values["key_name"] = listed.key or values["key_name"]
        if values["key_name"] not in (NEW_KEY, AGENT, *self.credentials):
            text = _("There is no key “%(name)s” in benchlab.") % {"name": short(listed.key)}
            row.errors.append(text)
        values["credential"] = self.credentials.get(values["key_name"])
        return values

    def _trust(self, row: PlannedRow) -> None:
        """Find the host's key in the known_hosts text, or an authority that may vouch for it."""
        names, port = [row.values["address"], row.name], row.values["port"]
        revoked = revoked_lines(self.revoked, names, port)
        try:
            key = known_key(self.known, names, port, revoked)
        except KnownHostsError as error:
            row.errors.append(localize_message(error.args[0]))
            return
        pinned = row.host.host_key if row.host else ""
        if pinned:
            if pinned in revoked:
                row.notes.append(_("Its pinned key is revoked. benchlab does not use it any more."))
            if key and key.line != pinned and key.algorithm == pinned.split(" ")[0]:
                row.notes.append(_("The known_hosts text has another key. The pinned one stays."))
            return
        row.host_key = key.line if key else ""
        vouchers = vouching(self.authorities, names, port, revoked) if not key else []
        row.authority = vouchers[0].key.fingerprint if vouchers else ""
        endpoint = (row.values["address"].lower(), port, row.values["jump_name"])
        other = self.by_address.get(endpoint)
        if other and other.name != row.name:
            text = _("%(name)s has this address and port already.") % {"name": other.name}
            row.errors.append(text)


def _key_name(host: Host) -> str:
    if host.key_source == Host.KeySource.AGENT or host.credential is None:
        return AGENT
    return host.credential.name


def _port(text: str, row: PlannedRow) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65535:
        return int(text)
    fault = _("“%(port)s” is not a port, a number from 1 to 65535.") % {"port": short(text)}
    row.errors.append(fault)
    return 22


def _faults(row: PlannedRow) -> list[str]:
    """Return why the values make no host, in the sentences of the form of a single host."""
    names = ("name", "address", "port", "user", "privilege_mode", "tags")
    host = Host(**{name: row.values[name] for name in names})
    faults: dict[str, str] = {}
    for name, check in (("address", check_address), ("user", check_user)):
        try:
            check(row.values[name])
        except ValueError as error:
            faults[name] = _("%(message)s It is “%(value)s”.") % {
                "message": localize_message(error.args[0]),
                "value": short(row.values[name]),
            }
    try:
        host.clean_fields(exclude=["jump", "credential"])
    except ValidationError as error:
        for name, texts in validation_fields(error).items():
            faults.setdefault(name, " ".join(texts))
    if "name" in faults:
        faults["name"] = _(
            "“%(name)s”: letters, digits, dot, dash and underscore only; a letter or a digit first."
        ) % {"name": short(row.name)}
        if row.values["address"] == row.name:
            faults.pop("address", None)
    return list(faults.values())


def _refuse_doubles(rows: list[PlannedRow]) -> None:
    """Refuse rows with a name or an address that an earlier row has."""
    names: dict[str, PlannedRow] = {}
    addresses: dict[tuple[Any, ...], PlannedRow] = {}
    for row in rows:
        if not row.name:
            continue
        first = names.setdefault(row.name, row)
        if first is not row:
            text = _("Line %(line)d has the same name.") % {"line": first.line}
            row.errors.append(text if first.line else _("The name is in the list twice."))
            continue
        if row.errors:
            continue
        endpoint = (row.values["address"].lower(), row.values["port"], row.values["jump_name"])
        other = addresses.setdefault(endpoint, row)
        if other is not row:
            text = _("%(name)s of this list has the same address and port.") % {"name": other.name}
            row.errors.append(text)


def _finish(row: PlannedRow) -> None:
    """Set state, changes and token."""
    if not row.errors and row.host:
        row.changes = _changes(row.host, row)
        row.state = CHANGED if row.changes else SAME
    elif not row.errors:
        row.state = NEW
    shown = {name: row.values[name] for name in ("name", "privilege_mode", *COMPARED) if row.values}
    parts = (row.state, shown, row.changes, row.host_key, row.host and row.host.pk)
    row.token = hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _changes(host: Host, row: PlannedRow) -> list[tuple[str, str, str]]:
    old = {
        "kind": host.get_kind_display(),
        "address": host.address,
        "port": host.port,
        "user": host.user,
        "jump": host.jump.name if host.jump else "",
        "tags": " ".join(sorted(host.tags)),
        "key": _key_name(host) if host.is_reachable_kind else "",
        "host key": "",
    }
    new = {
        "kind": Host.Kind.SSH.label,
        "address": row.values["address"],
        "port": row.values["port"],
        "user": row.values["user"],
        "jump": row.values["jump_name"],
        "tags": " ".join(row.values["tags"]),
        "key": row.values["key_name"],
        "host key": row.host_key.split(" ")[0],
    }
    return [(name, str(old[name]), str(new[name])) for name in new if old[name] != new[name]]
