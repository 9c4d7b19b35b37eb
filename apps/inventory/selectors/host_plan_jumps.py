"""Jump hosts of a list: by name or address, among the existing hosts or in the list itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists import short
from apps.inventory.models import Host

MAX_JUMPS = 4
_JUMP = re.compile(
    r"(?:ssh://)?(?:(?P<user>[^@\s]+)@)?(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\[\]@:\s]+)(?::(?P<port>\d{1,5}))?"
)


class Row(Protocol):
    """What of a planned row concerns its jump host."""

    name: str
    values: dict[str, Any]
    errors: list[str]


class JumpTable:
    """Finds the host that a row names as its jump host, and writes its name to the row."""

    def __init__(self, hosts: Mapping[str, Host], rows: Sequence[Row]) -> None:
        self.hosts, self.all_rows = hosts, rows
        self.rows: dict[str, Row] = {}
        for row in rows:
            self.rows.setdefault(row.name, row)
        ssh = [host for host in hosts.values() if host.kind == Host.Kind.SSH]
        self.addresses = {host.address: host.name for host in ssh}
        self.addresses |= {str(row.values.get("address")): row.name for row in rows if row.values}

    def resolve(self) -> None:
        """Resolve the jump hosts of all rows; what is wrong becomes an error of the row."""
        for row in self.all_rows:
            if row.values.get("jump_name") and not row.errors:
                fault = self._resolve(row)
                row.errors += [fault] if fault else []

    def check_chains(self) -> None:
        """Refuse rows whose jump hosts do not lead to them, or are refused."""
        usable = [row for row in self.all_rows if row.values.get("jump_name") and not row.errors]
        faults = [(row, self._chain_fault(row)) for row in usable]
        for row, fault in faults:
            row.errors += [fault] if fault else []

    def _resolve(self, row: Row) -> str:
        given = str(row.values["jump_name"])
        if given in self.hosts and given not in self.rows:
            return "" if self.hosts[given].kind == Host.Kind.SSH else _not_over_ssh(given)
        if "," in given:
            return _("Several jump hosts: enter each as a host, with the one before as its jump.")
        match = _JUMP.fullmatch(given)
        if match is None:
            return _("“%(jump)s” is no jump host.") % {"jump": short(given)}
        host = match["host"].strip("[]")
        name = host if host in self.rows or host in self.hosts else self.addresses.get(host, "")
        if not name:
            return _("There is no jump host “%(jump)s”, neither in benchlab nor in the list.") % {
                "jump": short(host)
            }
        return self._use(row, name, match["user"], match["port"])

    def _use(self, row: Row, name: str, user: str | None, port: str | None) -> str:
        """Write the name to the row; return why it cannot be used, or ""."""
        known = self.hosts.get(name)
        in_list = self.rows.get(name)
        if in_list is not None:
            there = (in_list.values.get("user"), in_list.values.get("port"))
        elif known is not None and known.kind == Host.Kind.SSH:
            there = (known.user, known.port)
        else:
            return _not_over_ssh(name)
        if (user and user != there[0]) or (port and int(port) != there[1]):
            return _("The jump host %(name)s has another user or port than this row.") % {
                "name": name
            }
        row.values["jump_name"] = name
        return ""

    def _chain_fault(self, row: Row) -> str:
        name = row.name
        for _step in range(MAX_JUMPS + 1):
            name = self._next(name)
            if not name:
                return ""
            if name == row.name:
                return _("The jump hosts go round in a circle.")
            if name in self.rows and self.rows[name].errors:
                return _("Its jump host %(name)s is refused.") % {"name": name}
        return _("More than four jumps: is there no nearer way?")

    def _next(self, name: str) -> str:
        if name in self.rows:
            return str(self.rows[name].values.get("jump_name", ""))
        host = self.hosts.get(name)
        return host.jump.name if host and host.jump else ""


def _not_over_ssh(name: str) -> str:
    return _("The jump host %(name)s is not reached over SSH.") % {"name": name}
