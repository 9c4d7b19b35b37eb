"""Causes of notifications."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Cause:
    """Detected cause.

    `key` identifies it. `since`: its begin; None if unknown, then it is new unless it was reported.
    `more`: further lines. Without `text` another cause of the same detection reports it.
    """

    key: str
    text: str
    since: datetime | None = None
    more: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the notification."""
        return (self.text, *self.more) if self.text else ()


@dataclass(frozen=True)
class Detection:
    """Detected causes, and the key prefixes that were checked.

    An incident with such a prefix and without a cause is resolved.
    """

    causes: list[Cause] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
