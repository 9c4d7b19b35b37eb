"""Ansible inventories: INI, YAML, and the JSON of `ansible-inventory --list`."""

from __future__ import annotations

import ast
import json
import re
import shlex
from typing import Any

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.group_tree import READ, Inventory, rows_of
from apps.inventory.domain.host_lists.rows import (
    HostList,
    HostRow,
    ListError,
    short,
    template_text,
)
from apps.inventory.domain.host_lists.yaml_tree import SecretValue, plain_tree

SECTION = re.compile(r"\[([^\[\]:\s]+)(?::(children|vars|hosts))?\]\s*(?:[#;].*)?")
_KEY = re.compile(r"""[\s-]*+["']?([^\s"']+?)["']?(?::\s|:?$)""")
_IPV6_PORT = re.compile(r"\[([0-9A-Fa-f:.%]+)\]:(\d+)")
_PORT = re.compile(r"([^:]+):(\d+)")


def read_ini(text: str) -> HostList:
    """Return the hosts of an inventory in INI. Raises: ListError."""
    inventory, section, kind = Inventory(), "ungrouped", "hosts"
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if match := SECTION.fullmatch(line):
            section, kind = match[1], match[2] or "hosts"
            inventory.group(section)
        elif kind == "children":
            child = line.split()[0]
            inventory.group(section).children[child] = None
            inventory.group(child)
        elif kind == "vars":
            name, equals, value = line.partition("=")
            if equals and name.strip() in READ:
                inventory.group(section).variables[name.strip()] = _literal(value.strip())
        else:
            _ini_host(inventory, section, line, number)
    return rows_of(inventory, "ansible_ini")


def _ini_host(inventory: Inventory, section: str, line: str, number: int) -> None:
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        text = _("A quote is not closed.")
        inventory.broken.append(HostRow(number, short(line.split()[0]), errors=[text]))
        return
    if not words:
        return
    values: dict[str, object] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals:
            text = _("“%(word)s” is not of the form name=value.") % {"word": short(word)}
            inventory.broken.append(HostRow(number, short(words[0]), errors=[text]))
            return
        if name in READ:
            values[name] = value
    pattern = words[0]
    # A range has colons too, so a port is what stands behind the last bracket.
    head, bracket, tail = pattern.rpartition("]")
    if match := _IPV6_PORT.fullmatch(pattern):
        pattern, values = match[1], {"ansible_port": match[2]} | values
    elif (match := _PORT.fullmatch(tail)) or (bracket and re.fullmatch(r":(\d+)", tail)):
        name, _colon, port = tail.rpartition(":")
        pattern, values = f"{head}{bracket}{name}", {"ansible_port": port} | values
    inventory.add_host(section, pattern, values, number)


def _literal(value: str) -> object:
    """Return a value of a `vars` section, which Ansible reads as a Python literal."""
    try:
        literal = ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value.partition(" #")[0].strip()
    return literal if isinstance(literal, str | int | bool) else value


def read_yaml(text: str) -> HostList:
    """Return the hosts of an inventory in YAML. Raises: ListError."""
    tree = plain_tree(text)
    if not isinstance(tree, dict):
        raise ListError(_("An inventory in YAML starts with a group such as “all:”."))
    if "plugin" in tree:
        raise ListError(_not_run())
    inventory, lines = Inventory(), _lines_of(text)
    for name, group in tree.items():
        _yaml_group(inventory, name, group, lines)
    return rows_of(inventory, "ansible_yaml")


def _yaml_group(inventory: Inventory, name: str, values: Any, lines: dict[str, int]) -> None:
    group = inventory.group(name)
    if values is None:
        return
    if not isinstance(values, dict):
        raise ListError(_("The group “%(name)s” has no hosts.") % {"name": short(name)})
    unknown = set(values) - {"hosts", "children", "vars"}
    if unknown:
        raise ListError(
            _("The group “%(name)s” has “%(key)s”; it may have hosts, children and vars.")
            % {"name": short(name), "key": short(min(unknown))}
        )
    group.variables |= _variables(values.get("vars"))
    hosts = values.get("hosts")
    for host, host_values in (hosts if isinstance(hosts, dict) else {}).items():
        inventory.add_host(name, host, _variables(host_values), lines.get(host, 0))
    for host in _texts(hosts):
        inventory.add_host(name, host, {}, lines.get(host, 0))
    children = values.get("children")
    for child, child_values in (children if isinstance(children, dict) else {}).items():
        group.children[child] = None
        _yaml_group(inventory, child, child_values, lines)


def read_ansible_json(tree: dict[str, Any]) -> HostList:
    """Return the hosts of the JSON of `ansible-inventory --list`. Raises: ListError."""
    inventory = Inventory()
    meta = tree.get("_meta")
    host_values = meta.get("hostvars", {}) if isinstance(meta, dict) else {}
    for name, values in tree.items():
        if name == "_meta":
            continue
        group = inventory.group(name)
        hosts: Any = values
        if isinstance(values, dict):
            group.variables |= _variables(values.get("vars"))
            group.children |= dict.fromkeys(_texts(values.get("children")))
            hosts = values.get("hosts")
        for host in _texts(hosts):
            known = host_values.get(host) if isinstance(host_values, dict) else None
            inventory.add_host(name, host, _variables(known))
    return rows_of(inventory, "ansible_json")


def parse_json(text: str) -> Any:
    """Parse JSON. Raises: ListError."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ListError(_("The JSON is nested too deep.")) from error
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise ListError(_("The text is no JSON, line %(line)d.") % {"line": line}) from error


def _not_run() -> str:
    return _("benchlab runs no program or plugin. Paste the output of “ansible-inventory --list”.")


def program_fault(text: str) -> str:
    """Return why a script or an encrypted file is no list, or ""."""
    if text.startswith("#!"):
        return _not_run()
    return template_text() if text.startswith("$ANSIBLE_VAULT") else ""


def _variables(values: Any) -> dict[str, object]:
    """Return the variables in READ; one that is encrypted or computed becomes a template."""
    if not isinstance(values, dict):
        return {}
    return {
        name: "{{ }}" if isinstance(values[name], SecretValue | dict) else values[name]
        for name in READ
        if name in values
    }


def _texts(values: Any) -> list[str]:
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []


def _lines_of(text: str) -> dict[str, int]:
    """Return the first line that names each key of a YAML text."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := _KEY.match(line):
            lines.setdefault(match[1], number)
    return lines
