"""User preferences of pages: units of rates and sizes, time zone, table density.

Active during a request (apps.accounts.middleware). The API, notifications and shared data use the
defaults: MiB/s and UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils.translation import gettext_lazy as _

from apps.common.domain import units


class Units(StrEnum):
    BINARY = "binary"
    DECIMAL = "decimal"


class Density(StrEnum):
    ROOMY = "roomy"
    DENSE = "dense"


UNITS = [
    (Units.BINARY.value, _("binary (MiB/s, GiB)")),
    (Units.DECIMAL.value, _("decimal (MB/s, GB)")),
]
DENSITIES = [(Density.ROOMY.value, _("roomy")), (Density.DENSE.value, _("dense"))]
"""Choices of forms and columns."""


@dataclass(frozen=True)
class Preferences:
    """Display preferences.

    `time_zone`: a name of the time zone database. `language`: empty for that of the browser.
    """

    units: str = Units.BINARY.value
    time_zone: str = "UTC"
    density: str = Density.ROOMY.value
    language: str = ""

    @property
    def cache_key(self) -> tuple[str, str]:
        """Return all that text and charts depend on."""
        return self.units, self.time_zone


USUAL = Preferences()
_reader: ContextVar[Preferences] = ContextVar("preferences", default=USUAL)


def preferences() -> Preferences:
    """Return the active preferences."""
    return _reader.get()


def prefer(wanted: Preferences) -> None:
    """Activate preferences for the rest of the request."""
    _reader.set(wanted)


@contextmanager
def preferred(wanted: Preferences = USUAL) -> Iterator[None]:
    """Activate preferences inside the context; without an argument the defaults."""
    token = _reader.set(wanted)
    try:
        yield
    finally:
        _reader.reset(token)


def zones() -> list[str]:
    """Return the selectable time zones, UTC first."""
    known = available_timezones()
    return ["UTC", *sorted(name for name in known if "/" in name and not name.startswith("Etc/"))]


def zone_choices() -> list[tuple[str, str]]:
    """Return the selectable time zones with their labels."""
    return [(name, name.replace("_", " ")) for name in zones()]


def in_zone(timestamp: datetime) -> datetime:
    """Return a timestamp in the user's time zone. Raises: ValueError for a naive one."""
    if timestamp.tzinfo is None:
        raise ValueError("a time without a zone cannot be shown")
    return timestamp.astimezone(_zone(preferences().time_zone))


def timestamp_text(timestamp: datetime, *, seconds: bool = False) -> str:
    """Return `2026-11-21 03:22 UTC`, in the user's time zone."""
    here = in_zone(timestamp)
    return f"{here:%Y-%m-%d %H:%M:%S} {here:%Z}" if seconds else f"{here:%Y-%m-%d %H:%M} {here:%Z}"


def drawn(timestamp: datetime) -> str:
    """Return a timestamp for a chart axis: Plotly draws local time and ignores the offset."""
    return in_zone(timestamp).isoformat()


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def rate(value: float) -> str:
    """Return bytes/s in the user's unit."""
    return units.mb_per_second(value) if _is_decimal() else units.mib_per_second(value)


def other_rate(value: float) -> str:
    """Return bytes/s in the other unit."""
    return units.mib_per_second(value) if _is_decimal() else units.mb_per_second(value)


def size(value: float) -> str:
    """Return bytes in the user's unit; whole binary sizes (4 KiB, 10 GiB) stay binary."""
    if _is_decimal() and not units.is_whole_binary(value):
        return units.decimal_bytes(value)
    return units.binary_bytes(value)


def _is_decimal() -> bool:
    return preferences().units == Units.DECIMAL
