"""Host facts reduced to what a comparison needs (docs/development/agent.md).

Pure functions without database access.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.common.domain.units import binary_bytes
from apps.inventory.schemas.host_facts import Raw

# What changes by itself and makes no measurement different.
FLEETING = ("uptime", "boot_id", "errors")
FLEETING_DISK = ("node", "name", "mounts", "holders", "signatures", "swap", "partitions", "smart")
FLEETING_NIC = ("address", "addresses")
# Cables between containers come and go by the minute.
VIRTUAL_NICS = ("veth",)


def stable_part(facts: Raw) -> dict[str, object]:
    """Return the facts that decide if two checks describe the same machine, in a fixed order."""
    stable = {name: value for name, value in facts.items() if name not in FLEETING}
    stable["disks"] = sorted(
        (_without(disk, FLEETING_DISK) for disk in rows(facts, "disks")),
        key=lambda disk: str(disk.get("identity")),
    )
    stable["nics"] = sorted(
        (
            _without(nic, FLEETING_NIC)
            for nic in rows(facts, "nics")
            if nic.get("driver") not in VIRTUAL_NICS
        ),
        key=lambda nic: str(nic.get("name")),
    )
    return stable


def rows(facts: Raw, name: str) -> list[Raw]:
    """Return the objects of a list in the facts; skip other values."""
    value = facts.get(name)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def part(facts: Raw, name: str) -> Raw:
    """Return an object in the facts; empty if there is none."""
    value = facts.get(name)
    return value if isinstance(value, dict) else {}


def _without(row: Raw, names: tuple[str, ...]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in names}


def changes(before: Raw, after: Raw) -> list[tuple[str, str, str]]:
    """Return (what, before, after) for each difference of two sets of facts, volatile values aside.

    A disk is named by its identity and a network card by its name. An added or removed one is one
    row.
    """
    result = differences([stable_part(before), stable_part(after)])
    return [(path, texts[0], texts[1]) for path, texts in result]


def differences(sides: Sequence[object], path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return (what, text of each side) for each difference, down to the innermost common part."""
    if all(side == sides[0] for side in sides):
        return
    parts = [_parts(side) for side in sides]
    named = [part for part in parts if part is not None]
    if len(named) < len(sides):
        yield path, tuple(map(_shown, sides))
        return
    for name in sorted(set().union(*named)):
        inner = [part.get(name) for part in named]
        yield from differences(inner, f"{path} {name}".strip())


def everything(side: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Return (what, text) for each value of an object."""
    parts = _parts(side)
    if parts is None:
        yield path, _shown(side)
        return
    for name in sorted(parts):
        yield from everything(parts[name], f"{path} {name}".strip())


def _parts(value: object) -> dict[str, object] | None:
    """Return the named parts of a value; None if it has none."""
    if isinstance(value, dict):
        return {str(name): inner for name, inner in value.items()}
    if isinstance(value, list) and all(isinstance(row, dict) for row in value):
        named = [(row.get("identity") or row.get("name"), row) for row in value]
        return {str(name or number): row for number, (name, row) in enumerate(named)}
    return None


def _shown(value: object) -> str:
    if isinstance(value, list):
        return " ".join(_shown(item) for item in value)
    if isinstance(value, dict):
        size = value.get("size")
        parts = [value.get("model"), binary_bytes(size) if isinstance(size, int) else size]
        return " ".join(str(part) for part in (*parts, value.get("driver")) if part) or _("there")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "" if value is None else str(value)
