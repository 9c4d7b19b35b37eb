"""Bookings that end within a day as causes of notifications."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.alerts.models import Alert
from apps.alerts.selectors.causes import Cause, Detection
from apps.bookings.models import Booking
from apps.bookings.selectors.bookings import bookings_visible, unended
from apps.common.domain.preferences import timestamp_text

AHEAD = timedelta(hours=24)
"""So long before its end a booking is reported."""


def bookings_ending(now: datetime) -> QuerySet[Booking]:
    """Return the bookings that end within a day. A shorter booking would be reported at once."""
    rows = bookings_visible().filter(unended(now), kind=Booking.Kind.BOOKING, weekly=False)
    return rows.filter(ends_at__lte=now + AHEAD, ends_at__gte=F("starts_at") + AHEAD).order_by("pk")


def booking_key(booking: Booking) -> str:
    """Return what a message is about: this end of the booking; another end is another message."""
    return f"booking:{booking.pk}@{booking.ends_at.timestamp():.0f}"


def booking_text(booking: Booking) -> str:
    names = ", ".join(
        [*(host.name for host in booking.hosts.all()), *map(str, booking.pools.all())]
    )
    template = _("The booking of {names} ends at {end}: {reason}")
    return template.format(names=names, end=timestamp_text(booking.ends_at), reason=booking.reason)


def booking_path(booking: Booking) -> str:
    return reverse("booking_edit", args=[booking.pk])


def detect_bookings(alert: Alert, now: datetime) -> Detection:
    """Return the bookings of the alert's owner and team that end within a day."""
    own = Q(owner=alert.owner_id)
    if alert.team_id:
        own |= Q(team=alert.team_id)
    rows = bookings_ending(now).filter(own)
    return Detection([Cause(booking_key(row), booking_text(row)) for row in rows])
