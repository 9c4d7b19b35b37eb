"""Bookings for tests."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.services.bookings import BookingDraft, booking_save
from apps.bookings.services.requests import RequestDraft, request_create
from apps.inventory.models import Host


def hours(number: float) -> datetime:
    """The timestamp in so many hours."""
    return timezone.now() + timedelta(hours=number)


def create_booking(
    user: User, *hosts: Host, start: float = 0, end: float = 2, **fields: Any
) -> Booking:
    """A booking from `start` to `end`, in hours from now, as its form makes it."""
    values: dict[str, Any] = {
        "starts_at": hours(start),
        "ends_at": hours(end),
        "reason": "a kernel test",
        "hosts": hosts,
    } | fields
    return booking_save(user=user, draft=BookingDraft(**values))


def create_maintenance(admin: User, *hosts: Host, **fields: Any) -> Booking:
    """A maintenance window."""
    values = {"reason": "new firmware"} | fields
    return create_booking(admin, *hosts, kind=Booking.Kind.MAINTENANCE, **values)


def create_request(user: User, *hosts: Host, hours: int = 2, **fields: Any) -> BookingRequest:
    """A request of hosts for some hours, as soon as they are free."""
    values: dict[str, Any] = {"reason": "a kernel test", "hosts": hosts} | fields
    return request_create(user=user, draft=RequestDraft(hours=hours, **values))
