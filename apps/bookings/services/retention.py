"""Retention of bookings."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.bookings.models import Booking
from apps.common.domain.months import months_before
from apps.common.services import due_rows

MONTHS = 12


def bookings_due() -> QuerySet[Booking]:
    """Return bookings that ended long ago."""
    before = months_before(timezone.now(), MONTHS)
    once = Q(weekly=False, ends_at__lt=before)
    weekly = Q(weekly=True, repeat_until__lt=before.date())
    return Booking.objects.filter(Q(ended_at__lt=before) | once | weekly)


RETENTION = [
    due_rows(Booking, "12 months after its end", bookings_due, task="bookings.retention"),
]
