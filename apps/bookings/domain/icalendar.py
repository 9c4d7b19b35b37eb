"""Bookings as an iCalendar document. Source: RFC 5545."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from apps.bookings.schemas import Interval

MAX_OCTETS = 75
"""Octets of a content line without its line break (section 3.1)."""


@dataclass(frozen=True)
class CalendarEvent:
    """An event; `uid` stays the same as long as it is the same event."""

    uid: str
    interval: Interval
    summary: str
    changed_at: datetime
    url: str = ""


def icalendar(events: Iterable[CalendarEvent], name: str) -> str:
    """Return the document: lines end with CRLF, long ones are folded."""
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//benchlab//bookings//EN"),
        *("CALSCALE:GREGORIAN", f"X-WR-CALNAME:{escaped(name)}"),
    ]
    for event in events:
        lines += _lines(event)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _lines(event: CalendarEvent) -> list[str]:
    lines = [
        "BEGIN:VEVENT",
        f"UID:{escaped(event.uid)}",
        f"DTSTAMP:{_utc(event.changed_at)}",
        f"DTSTART:{_utc(event.interval.start)}",
        f"DTEND:{_utc(event.interval.end)}",
        f"SUMMARY:{escaped(event.summary)}",
    ]
    if event.url:
        lines.append(f"URL:{event.url}")
    return [*lines, "END:VEVENT"]


def escaped(text: str) -> str:
    """Escape a text value (section 3.3.11); other control characters become spaces."""
    plain = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
    for sign in ("\\", ";", ","):
        plain = plain.replace(sign, f"\\{sign}")
    return plain.replace("\n", "\\n")


def _utc(timestamp: datetime) -> str:
    return f"{timestamp.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> Iterator[str]:
    """Yield the parts of a line; continuations begin with a space, no character is cut."""
    part = ""
    for sign in line:
        if len((part + sign).encode()) > MAX_OCTETS:
            yield part
            part = " "
        part += sign
    yield part
