"""Tags of rows."""

from __future__ import annotations

from collections.abc import Iterable


def tagged(before: Iterable[str], add: Iterable[str], remove: Iterable[str]) -> list[str]:
    """Return the tags of a row after a change."""
    return sorted({*before, *add} - set(remove))
