"""Bookings that begin, or end within a day, as causes of notifications."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.alerts.models import Alert
from apps.alerts.selectors.causes import Cause, Detection
from apps.bookings.models import Booking
from apps.bookings.selectors.bookings import bookings_visible, unended
from apps.common.domain.preferences import timestamp_text

BOOKING = "booking:"
"""Prefix of the keys of incidents."""
AHEAD = timedelta(hours=24)
"""So long before its end a booking is reported."""
PLANNED = timedelta(hours=1)
"""So long before its begin a booking was made, if the begin is reported."""
LOOKBACK = timedelta(days=1)
"""So long after its begin a booking is reported, if nothing evaluated alerts before."""


def bookings_beginning(now: datetime) -> QuerySet[Booking]:
    """Return the active bookings that began a short time ago, as planned before or as requested."""
    rows = bookings_visible().filter(unended(now), kind=Booking.Kind.BOOKING, weekly=False)
    rows = rows.filter(starts_at__lte=now, starts_at__gte=now - LOOKBACK)
    planned = Q(created_at__lte=F("starts_at") - PLANNED)
    return rows.filter(planned | Q(was_requested=True)).order_by("pk")


def begin_key(booking: Booking) -> str:
    """Return what a message is about: this begin of the booking; another begin is another one."""
    return f"{BOOKING}{booking.pk}:begin@{booking.starts_at.timestamp():.0f}"


def begin_text(booking: Booking) -> str:
    template = _("The booking of {names} begins, until {end}: {reason}")
    return _text(template, booking)


def bookings_ending(now: datetime) -> QuerySet[Booking]:
    """Return the bookings that end within a day. A shorter booking would be reported at once."""
    rows = bookings_visible().filter(unended(now), kind=Booking.Kind.BOOKING, weekly=False)
    rows = rows.annotate(chosen_end=Coalesce("extended_from", "ends_at"))
    rows = rows.filter(ends_at__lte=now + AHEAD, chosen_end__gte=F("starts_at") + AHEAD)
    return rows.order_by("pk")


def booking_key(booking: Booking) -> str:
    """Return what a message is about: the end that a person chose; another end is another message.

    An extension sends no further message.
    """
    end = booking.extended_from or booking.ends_at
    return f"{BOOKING}{booking.pk}@{end.timestamp():.0f}"


def booking_text(booking: Booking) -> str:
    if booking.extends:
        template = _("The booking of {names} ends at {end} if others wait then: {reason}")
    else:
        template = _("The booking of {names} ends at {end}: {reason}")
    return _text(template, booking)


def _text(template: str, booking: Booking) -> str:
    names = ", ".join(
        [*(host.name for host in booking.hosts.all()), *map(str, booking.pools.all())]
    )
    return template.format(names=names, end=timestamp_text(booking.ends_at), reason=booking.reason)


def booking_path(booking: Booking) -> str:
    return reverse("booking_edit", args=[booking.pk])


def detect_begins(alert: Alert, now: datetime) -> Detection:
    """Return the bookings of the alert's owner and team that began since it was created."""
    rows = bookings_beginning(now).filter(_own(alert), starts_at__gte=alert.created_at)
    return Detection([Cause(begin_key(row), begin_text(row)) for row in rows])


def detect_bookings(alert: Alert, now: datetime) -> Detection:
    """Return the bookings of the alert's owner and team that end within a day."""
    rows = bookings_ending(now).filter(_own(alert))
    return Detection([Cause(booking_key(row), booking_text(row)) for row in rows])


def _own(alert: Alert) -> Q:
    own = Q(owner=alert.owner_id)
    return own | Q(team=alert.team_id) if alert.team_id else own
