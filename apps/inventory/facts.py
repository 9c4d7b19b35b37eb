"""Facts as the agent tells them (docs/development/agent.md): made storable, and reduced to what a
comparison cares for.

Pure functions; nothing here knows the database.
"""

from __future__ import annotations

import re
from typing import Any

# What changes by itself and makes no measurement different.
FLEETING = ("uptime", "boot_id")
FLEETING_DISK = ("node", "name", "mounts", "holders", "signatures", "swap", "partitions")
FLEETING_NIC = ("address",)
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
