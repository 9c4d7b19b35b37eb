"""Ansible inventories as groups of hosts with variables, whatever text they came from.

Only variables that say how to reach a host are read. No plugin, script or template is evaluated.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, product

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import (
    MAX_HOSTS,
    MAX_MENTIONS,
    HostList,
    HostRow,
    ListError,
    plain_text,
    short,
    too_many_mentions_text,
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
MAX_GROUPS_OF_HOST = 100
READ = frozenset([*chain(*VARIABLES.values()), *SSH_ARGUMENTS, "ansible_connection"])
"""Variables that are stored; what else a list has costs nothing."""
_JUMP = re.compile(r"""(?:ProxyJump[=\s]\s*|(?:^|\s|["'])-J\s*)["']?([^\s"']+)""", re.IGNORECASE)
_RANGE = re.compile(r"\[([0-9A-Za-z]{1,9}):([0-9A-Za-z]{1,9})(?::([0-9]{1,9}))?\]")


@dataclass
class Group:
    """A group: variables by host, names of the groups in it, variables of its own (READ)."""

    hosts: dict[str, dict[str, object]] = field(default_factory=dict)
    children: dict[str, None] = field(default_factory=dict)
    variables: dict[str, object] = field(default_factory=dict)


@dataclass
class Inventory:
    """Groups by name, and the line that names each host first (0: not known)."""

    groups: dict[str, Group] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    broken: list[HostRow] = field(default_factory=list)
    mentions: int = 0

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
        self.mentions += len(names)
        if self.mentions > MAX_MENTIONS:
            raise ListError(too_many_mentions_text())
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
    """Return the hosts with the variables and the groups that apply to them. Raises: ListError."""
    order, containing = _containing(inventory)
    masks: dict[str, int] = {}
    for group_name, group in inventory.groups.items():
        for host in group.hosts:
            masks[host] = masks.get(host, 0) | containing[group_name]
    rows = [_row(inventory, name, order, masks.get(name, 0)) for name in inventory.lines]
    return HostList(form, [*rows, *inventory.broken])


def _containing(inventory: Inventory) -> tuple[list[str], dict[str, int]]:
    """Return the groups in Ansible's order, and for each the mask of those that contain it.

    Bit n of a mask is the n-th group; each edge costs one operation on integers, however deep the
    tree is. Ansible applies the variables of outer groups first. Raises: ListError for a circle.
    """
    children = {
        name: [child for child in group.children if child in inventory.groups]
        for name, group in inventory.groups.items()
    }
    outer_first = _outer_first(children)
    depths = {name: int(name != "all") for name in children}
    for name in outer_first:
        for child in children[name]:
            depths[child] = depths[child] and max(depths[child], depths[name] + 1)
    order = sorted(children, key=lambda name: (depths[name], name))
    containing = {name: 1 << bit for bit, name in enumerate(order)}
    for name in outer_first:
        for child in children[name]:
            containing[child] |= containing[name]
    return order, containing


def _outer_first(children: Mapping[str, list[str]]) -> list[str]:
    """Return the groups, each after all that contain it. Raises: ListError for a circle."""
    waiting = Counter(chain.from_iterable(children.values()))
    result = [name for name in children if not waiting[name]]
    for name in result:  # grows while it is read
        for child in children[name]:
            waiting[child] -= 1
            if not waiting[child]:
                result.append(child)
    if len(result) < len(children):
        name = _circular(children, set(children) - set(result))
        raise ListError(_("The group “%(name)s” contains itself.") % {"name": short(name)})
    return result


def _circular(children: Mapping[str, list[str]], names: set[str]) -> str:
    """Return a group of a circle; `names`: the groups of circles and what they contain."""
    parents = {child: name for name in names for child in children[name] if child in names}
    name, seen = min(names), set[str]()
    while name not in seen:
        seen.add(name)
        name = parents[name]
    return name


def _row(inventory: Inventory, name: str, order: list[str], mask: int) -> HostRow:
    """Return the row of a host; `mask`: of the groups that contain it."""
    row = HostRow(inventory.lines[name], name, adds_tags=True)
    if mask.bit_count() > MAX_GROUPS_OF_HOST:
        text = _("It is in more than %(limit)d groups.") % {"limit": MAX_GROUPS_OF_HOST}
        row.errors.append(text)
        return row
    groups = list(_names_in(mask, order))
    if "all" in inventory.groups and "all" not in groups:
        groups.insert(0, "all")
    values: dict[str, object] = {}
    for group in groups:
        values |= inventory.groups[group].variables
    for group in groups:
        values |= inventory.groups[group].hosts.get(name, {})
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


def _names_in(mask: int, order: list[str]) -> Iterator[str]:
    while mask:
        lowest = mask & -mask
        yield order[lowest.bit_length() - 1]
        mask ^= lowest


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
