"""Bookings as rows of lists, and the tabs of the pages about the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.selectors.bookings import bookings_of_host
from apps.bookings.selectors.requests import requests_visible
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import editable_among

Tab = tuple[str, str | Promise, int | None]
PAGES = (
    ("run_list", _("Runs")),
    ("queue", _("Queue")),
    ("calendar", _("Calendar")),
    ("booking_list", _("Bookings")),
    ("approval_list", _("Approvals")),
)


@dataclass(frozen=True)
class BookingRow:
    """A booking in a list."""

    booking: Booking
    is_editable: bool

    @property
    def holder(self) -> str:
        """Return for whom it is: the team, else the owner; empty for maintenance."""
        booking = self.booking
        if booking.is_maintenance:
            return ""
        return booking.team.name if booking.team else booking.owner.username


@dataclass(frozen=True)
class RequestRow:
    """A requested booking in a list. `line`: its forecast as the queue shows it, if it is known."""

    request: BookingRequest
    is_editable: bool
    line: object = None

    @property
    def holder(self) -> str:
        """Return for whom it is: the team, else the owner."""
        request = self.request
        return request.team.name if request.team else request.owner.username

    @property
    def entries(self) -> str:
        """Return the names of its hosts and pools."""
        request = self.request
        names = [*(host.name for host in request.hosts.all()), *map(str, request.pools.all())]
        return ", ".join(names)


def request_rows(user: User, lines: Mapping[int, object] | None = None) -> list[RequestRow]:
    """Return the requested bookings as rows. `lines`: forecasts by the id of the request."""
    rows = list(requests_visible())
    own = editable_among(rows, user)
    return [RequestRow(row, row.pk in own, (lines or {}).get(row.pk)) for row in rows]


def queue_tabs() -> list[Tab]:
    """Return the tabs above the lists of runs and bookings."""
    return [(reverse(name), label, None) for name, label in PAGES]


def booking_rows(bookings: Sequence[Booking], user: User) -> list[BookingRow]:
    """Return bookings as rows of a list; those that ended are not editable."""
    own = editable_among(bookings, user)
    return [
        BookingRow(
            booking,
            booking.state != "ended"
            and (user.is_admin if booking.is_maintenance else booking.pk in own),
        )
        for booking in bookings
    ]


def bookings_of_page(host: Host) -> dict[str, object]:
    """Return the present and later bookings of a host, for its page."""
    rows = [BookingRow(booking, False) for booking in bookings_of_host(host.pk)]
    return {"bookings": rows}
