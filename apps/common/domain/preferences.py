"""A reader's preferences for pages: units of rates and sizes, the zone of moments, the density of
tables.

Known while a request is answered (apps.accounts.middleware). Programs, messages and what is kept
for others are in the usual form: MiB/s and UTC.
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
    """`time_zone` by its name in the time zone database."""

    units: str = Units.BINARY.value
    time_zone: str = "UTC"
    density: str = Density.ROOMY.value

    @property
    def stamp(self) -> tuple[str, str]:
        """All that sentences and charts depend on."""
        return self.units, self.time_zone


USUAL = Preferences()
_reader: ContextVar[Preferences] = ContextVar("preferences", default=USUAL)


def preferences() -> Preferences:
    """Those of whoever asks."""
    return _reader.get()


def prefer(wanted: Preferences) -> None:
    """Preferences of whoever is answered from here on."""
    _reader.set(wanted)


@contextmanager
def preferred(wanted: Preferences = USUAL) -> Iterator[None]:
    """Others for a while: without an argument those that everybody shares."""
    token = _reader.set(wanted)
    try:
        yield
    finally:
        _reader.reset(token)


def zones() -> list[str]:
    """Names that a reader may choose, UTC first."""
    known = available_timezones()
    return ["UTC", *sorted(name for name in known if "/" in name and not name.startswith("Etc/"))]


def zone_choices() -> list[tuple[str, str]]:
    """Names that a reader may choose, and as they are shown."""
    return [(name, name.replace("_", " ")) for name in zones()]


def in_zone(moment: datetime) -> datetime:
    """The moment on the reader's clock; ValueError for a naive one, which could be in any zone."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone cannot be shown")
    return moment.astimezone(_zone(preferences().time_zone))


def moment_text(moment: datetime, *, seconds: bool = False) -> str:
    """`2026-11-21 03:22 UTC`, on the reader's clock."""
    here = in_zone(moment)
    return f"{here:%Y-%m-%d %H:%M:%S} {here:%Z}" if seconds else f"{here:%Y-%m-%d %H:%M} {here:%Z}"


def drawn(moment: datetime) -> str:
    """The moment on a chart's axis: Plotly draws what the clock says and passes over the offset."""
    return in_zone(moment).isoformat()


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def rate(value: float) -> str:
    """Bytes per second in the reader's unit."""
    return units.mb_per_second(value) if _is_decimal() else units.mib_per_second(value)


def other_rate(value: float) -> str:
    """The same in the other unit."""
    return units.mib_per_second(value) if _is_decimal() else units.mb_per_second(value)


def size(value: float) -> str:
    """Bytes in the reader's unit. What is whole in a binary one (4 KiB, 10 GiB) was asked for like
    that, and stays so.
    """
    if _is_decimal() and not units.is_whole_binary(value):
        return units.decimal_bytes(value)
    return units.binary_bytes(value)


def _is_decimal() -> bool:
    return preferences().units == Units.DECIMAL
