"""Ansible inventories as groups of hosts with variables, whatever text they came from.

Only variables that say how to reach a host are read. No plugin, script or template is evaluated.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from itertools import islice, product

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import (
    MAX_HOSTS,
    HostList,
    HostRow,
    ListError,
    plain_text,
    short,
    too_many_text,
)

# Newer names first: Ansible prefers them (ansible.builtin.ssh).
VARIABLES = {
    "address": ("ansible_host", "ansible_ssh_host"),
    "port": ("ansible_port", "ansible_ssh_port"),
    "user": ("ansible_user", "ansible_ssh_user"),
}
SSH_ARGUMENTS = ("ansible_ssh_common_args", "ansible_ssh_extra_args", "ansible_ssh_args")
OVER_SSH = ("", "ssh", "smart", "paramiko", "paramiko_ssh", "ansible.builtin.ssh")
NOT_TAGS = ("all", "ungrouped")
MAX_GROUPS = 2000
_JUMP = re.compile(r"""(?:ProxyJump[=\s]\s*|(?:^|\s|["'])-J\s*)["']?([^\s"']+)""", re.IGNORECASE)
_RANGE = re.compile(r"\[([0-9A-Za-z]{1,9}):([0-9A-Za-z]{1,9})(?::([0-9]{1,9}))?\]")


@dataclass
class Group:
    """A group: variables by host, names of the groups in it, variables of its own."""

    hosts: dict[str, dict[str, object]] = field(default_factory=dict)
    children: dict[str, None] = field(default_factory=dict)
    variables: dict[str, object] = field(default_factory=dict)


@dataclass
class Inventory:
    """Groups by name, and the line that names each host first (0: not known)."""

    groups: dict[str, Group] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    broken: list[HostRow] = field(default_factory=list)

    def group(self, name: str) -> Group:
        """Return a group; create it if needed. Raises: ListError above the limit."""
        if len(self.groups) >= MAX_GROUPS and name not in self.groups:
            raise ListError(_("The list has more than %(limit)d groups.") % {"limit": MAX_GROUPS})
        return self.groups.setdefault(name, Group())

    def add_host(self, group: str, pattern: str, values: dict[str, object], line: int = 0) -> None:
        """Add the hosts of a pattern such as `node[01:20]` to a group. Raises: ListError."""
        try:
            names = expand(pattern)
        except ValueError as error:
            self.broken.append(HostRow(line, short(pattern), errors=[str(error)]))
            return
        hosts = self.group(group).hosts
        for name in names:
            self.lines.setdefault(name, line)
            hosts.setdefault(name, {}).update(values)
        if len(self.lines) + len(self.broken) > MAX_HOSTS:
            raise ListError(too_many_text())


def expand(pattern: str) -> list[str]:
    """Return the names of a pattern with ranges as Ansible writes them.

    Raises: ValueError with a message for the user.
    """
    choices: list[list[str]] = []
    count, end = 1, 0
    for match in _RANGE.finditer(pattern):
        texts = _texts(match)
        count *= len(texts)
        if count > MAX_HOSTS:
            raise ValueError(too_many_text(count))
        choices += [[pattern[end : match.start()]], texts]
        end = match.end()
    rest = pattern[end:]
    if choices and ("[" in rest or "]" in rest):
        raise ValueError(_("Ansible writes a range as [01:20]."))
    return ["".join(parts) for parts in islice(product(*choices, [rest]), MAX_HOSTS)]


def _texts(match: re.Match[str]) -> list[str]:
    first, last, step = match[1], match[2], int(match[3] or 1)
    if first.isdigit() and last.isdigit():
        numbers = range(int(first), int(last) + 1, step) if step else range(0)
        if len(numbers) > MAX_HOSTS:
            raise ValueError(too_many_text(len(numbers)))
        if first.startswith("0") and len(first) != len(last) and len(first) > 1:
            raise ValueError(
                _("“%(range)s” has numbers of two widths, so the padding is not clear.")
                % {"range": short(match[0])}
            )
        width = len(first) if first.startswith("0") else 1
        texts = [f"{number:0{width}d}" for number in numbers]
    else:
        letters = string.ascii_letters
        known = first in letters and last in letters and len(first) == len(last) == 1
        texts = list(letters[letters.find(first) : letters.find(last) + 1 : step or 1])
        texts = texts if known and step else []
    if not texts:
        raise ValueError(_("“%(range)s” is no range.") % {"range": short(match[0])})
    return texts


def rows_of(inventory: Inventory, form: str) -> HostList:
    """Return the hosts with the variables and the groups that apply to them."""
    parents = _parents(inventory)
    order = {name: place for place, name in enumerate(_by_depth(inventory, parents))}
    groups: dict[str, set[str]] = {name: set() for name in inventory.lines}
    for group_name, group in inventory.groups.items():
        for host in group.hosts:
            groups[host] |= {group_name, *_above(group_name, parents)}
    rows = [
        _row(inventory, name, sorted(groups[name] | {"all"}, key=lambda one: order.get(one, -1)))
        for name in inventory.lines
    ]
    return HostList(form, [*rows, *inventory.broken])


def _parents(inventory: Inventory) -> dict[str, set[str]]:
    parents: dict[str, set[str]] = {}
    for name, group in inventory.groups.items():
        for child in group.children:
            parents.setdefault(child, set()).add(name)
    return parents


def _above(name: str, parents: dict[str, set[str]]) -> set[str]:
    """Return all groups that contain a group. Raises: ListError for a circle."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        for parent in parents.get(todo.pop(), ()):
            if parent == name:
                text = _("The group “%(name)s” contains itself.") % {"name": short(name)}
                raise ListError(text)
            if parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return seen


def _by_depth(inventory: Inventory, parents: dict[str, set[str]]) -> list[str]:
    """Return groups in the order in which Ansible applies their variables: outer ones first."""
    for name in inventory.groups:
        _above(name, parents)  # no circle
    depths: dict[str, int] = {"all": 0}

    def depth(name: str) -> int:
        todo = [name]
        while todo:
            above = [one for one in parents.get(todo[-1], ()) if one not in depths]
            if above:
                todo += above
            else:
                last = todo.pop()
                reached = (depths[one] for one in parents.get(last, ()))
                depths.setdefault(last, 1 + max(reached, default=0))
        return depths[name]

    return sorted(inventory.groups, key=lambda name: (depth(name), name))


def _row(inventory: Inventory, name: str, groups: list[str]) -> HostRow:
    values: dict[str, object] = {}
    for group in groups:
        values |= inventory.groups[group].variables if group in inventory.groups else {}
    for group in groups:
        if group in inventory.groups:
            values |= inventory.groups[group].hosts.get(name, {})
    row = HostRow(inventory.lines[name], name, adds_tags=True)
    tags = {re.sub(r"[^\w-]+", "-", one)[:40] for one in groups if one not in NOT_TAGS}
    row.tags = sorted(tags)
    for column, names in VARIABLES.items():
        row.set_value(column, next((values[one] for one in names if one in values), None))
    _set_jump(row, values)
    connection, _error = plain_text(values.get("ansible_connection"))
    if connection not in OVER_SSH:
        text = _("Ansible reaches it by “%(how)s”, not over SSH.") % {"how": short(connection)}
        row.errors.append(text)
    return row


def _set_jump(row: HostRow, values: dict[str, object]) -> None:
    for name in SSH_ARGUMENTS:
        arguments, error = plain_text(values.get(name))
        if error:
            row.errors.append(f"{name}: {error}")
        elif match := _JUMP.search(arguments):
            row.set_value("jump", match[1])
            return
        elif "proxycommand" in arguments.lower():
            row.errors.append(
                _("%(name)s has a ProxyCommand, which benchlab does not run. Use ProxyJump.")
                % {"name": name}
            )
