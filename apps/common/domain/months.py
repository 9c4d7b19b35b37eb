"""Arithmetic with calendar months."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime


def months_before(timestamp: datetime, months: int) -> datetime:
    """Return the same time of day `months` earlier, at the latest on that month's last day."""
    year, month = divmod(timestamp.year * 12 + timestamp.month - 1 - months, 12)
    day = min(timestamp.day, monthrange(year, month + 1)[1])
    return timestamp.replace(year=year, month=month + 1, day=day)
