"""Intervals during which hosts and pools are closed to runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, order=True)
class Interval:
    """Time from `start` to `end`, without `end`; both aware."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class Closure:
    """One occurrence of a booking or maintenance window.

    `resources`: names as runs claim them. `owner_ids`: users whose runs may start in it, none for
    maintenance.
    """

    booking_id: int
    interval: Interval
    resources: frozenset[str]
    owner_ids: frozenset[int]
    is_maintenance: bool
    holder: str
    reason: str

    def is_open_to(self, user_id: int) -> bool:
        """Return True if runs of this user may start in it."""
        return user_id in self.owner_ids
