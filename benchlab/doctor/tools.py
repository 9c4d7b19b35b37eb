"""Tools of other packages: which are there, and which cannot be used."""

from __future__ import annotations

from apps.tools.registry import BROKEN, BUILT_IN, TOOLS
from benchlab.standalone.findings import Finding, ok, wrong


def tools() -> list[Finding]:
    """The rooms that packages registered under `benchlab.tools`; nothing where there is none."""
    others = [room.label for name, room in TOOLS.items() if name not in BUILT_IN]
    todo = "mend or remove the package, then start benchlab anew"
    broken = [
        wrong(f"the tool {each.name} of {each.package} cannot be used: {each.error}", todo)
        for each in BROKEN
    ]
    there = [ok(f"tools of other packages: {', '.join(others)}")] if others else []
    return [*there, *broken]
