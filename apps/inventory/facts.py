"""Facts as the agent tells them (docs/development/agent.md): made storable, and reduced to what a
comparison cares for.

Pure functions; nothing here knows the database.
"""

from __future__ import annotations

import re
from typing import Any

# What changes by itself and makes no measurement different.
FLEETING = ("uptime", "boot_id", "errors")
FLEETING_DISK = ("node", "name", "mounts", "holders", "signatures", "swap", "partitions")
FLEETING_NIC = ("address", "addresses")
# Cables between containers come and go by the minute.
VIRTUAL_NICS = ("veth",)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def cleaned(value: Any) -> Any:
    """The same JSON value with every text storable in PostgreSQL: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {cleaned(name): cleaned(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [cleaned(inner) for inner in value]
    return value


def stable_part(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts that decide whether two checks saw the same machine, in an order of their own."""
    kept = {name: value for name, value in facts.items() if name not in FLEETING}
    kept["disks"] = sorted(
        (_without(disk, FLEETING_DISK) for disk in rows(facts, "disks")),
        key=lambda disk: str(disk.get("identity")),
    )
    kept["nics"] = sorted(
        (
            _without(nic, FLEETING_NIC)
            for nic in rows(facts, "nics")
            if nic.get("driver") not in VIRTUAL_NICS
        ),
        key=lambda nic: str(nic.get("name")),
    )
    return kept


def rows(facts: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """A list of objects in the facts; what is no object is left out."""
    value = facts.get(name)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _without(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(what, before, after) for everything in which two sets of facts differ, fleeting things
    aside.

    A disk is named by its identity and a network card by its name, so that one more disk is one
    line.
    """
    old, new = _flat(stable_part(before)), _flat(stable_part(after))
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    return [(name, old.get(name, ""), new.get(name, "")) for name in names]


def _flat(value: Any, path: str = "") -> dict[str, str]:
    if isinstance(value, dict):
        parts = {str(name): inner for name, inner in value.items()}
    elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        named = [(row.get("identity") or row.get("name"), row) for row in value]
        parts = {str(name or number): row for number, (name, row) in enumerate(named)}
    else:
        return {path: _shown(value)}
    flat: dict[str, str] = {}
    for name, inner in parts.items():
        flat |= _flat(inner, f"{path} {name}".strip())
    return flat


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return "" if value is None else str(value)
