"""How many open bookings and booked hours of one host a person has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.bookings.models import Booking, BookingRequest
from apps.bookings.selectors.bookings import bookings_visible, unended
from apps.bookings.selectors.requests import requests_visible
from apps.bookings.selectors.resources import pool_resources
from apps.inventory.selectors.host_identity import machines_of

HOUR = 3600.0


@dataclass(frozen=True)
class BookedShare:
    """Open bookings, and hours booked from now on, of one person on one host or cluster."""

    bookings: int = 0
    hours: float = 0.0


def booked_shares(owner_id: int, now: datetime) -> dict[str, BookedShare]:
    """Return what a person has booked or requested of each host, machine and pool's cluster."""
    rows = bookings_visible().filter(unended(now), owner=owner_id, kind=Booking.Kind.BOOKING)
    result: dict[str, BookedShare] = defaultdict(BookedShare)
    open_: list[Booking | BookingRequest] = [*rows, *requests_visible().filter(owner=owner_id)]
    for row, names in zip(open_, _names(open_), strict=True):
        for name in names:
            hours = _hours(row, now)
            share = result[name]
            result[name] = BookedShare(share.bookings + 1, share.hours + hours)
    return result


def _hours(row: Booking | BookingRequest, now: datetime) -> float:
    if isinstance(row, BookingRequest):
        return float(row.hours)
    return (row.ends_at - max(now, row.starts_at)).total_seconds() / HOUR


def _names(bookings: Iterable[Booking | BookingRequest]) -> list[set[str]]:
    rows = list(bookings)
    machines = machines_of({host.pk for row in rows for host in row.hosts.all()})
    return [
        {f"host:{host.pk}" for host in row.hosts.all()}
        | {f"machine:{one}" for host in row.hosts.all() for one in machines.get(host.pk, ())}
        | {name for pool in row.pools.all() for name in pool_resources(pool)}
        for row in rows
    ]


def limit_faults(before: dict[str, BookedShare], after: dict[str, BookedShare]) -> dict[str, str]:
    """Return the limits that a change exceeds, by field; less than before is always allowed."""
    most, hours = settings.BENCHLAB_BOOKING_MAX_OPEN, settings.BENCHLAB_BOOKING_MAX_HOURS
    grown = [(before.get(name, BookedShare()), share) for name, share in after.items()]
    wrong = {}
    if any(old.bookings < new.bookings > most for old, new in grown):
        text = ngettext(
            "You have %(count)d open booking of this host, the most that is allowed. End it first.",
            "You have %(count)d open bookings of this host, the most that are allowed. End one "
            "first.",
            most,
        )
        wrong["hosts"] = text % {"count": most}
    if any(old.hours + 1 / HOUR < new.hours > hours for old, new in grown):
        text = _(
            "One person may book %(hours)d hours of a host ahead, in all bookings together. Choose "
            "a shorter time, or end another booking."
        )
        wrong["ends_at"] = text % {"hours": hours}
    return wrong
