"""Notices by e-mail to users whom no alert tells.

Of begins and ends of bookings, of the end of an acceptance, and of a host on hold.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.conf import settings
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.accounts.readers import text_for
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.selectors.acceptances import (
    acceptance_key,
    acceptance_path,
    acceptance_text,
    acceptances_ended,
)
from apps.alerts.selectors.bookings import (
    begin_key,
    begin_text,
    booking_key,
    booking_path,
    booking_text,
    bookings_begun,
    bookings_ending,
)
from apps.alerts.selectors.detection import hold_key, hold_text
from apps.inventory.selectors.inventory import hosts_held


def notices_create(now: datetime) -> None:
    """Create the notices that are due, each once. Without a mail server there are none."""
    if not settings.EMAIL_HOST:
        return
    _bookings(now)
    informed = _informed("on_acceptance")
    for row in acceptances_ended(now):
        if row.owner_id not in informed:
            text = partial(acceptance_text, row)
            _create(row.owner, acceptance_key(row), acceptance_path(row), text)
    _holds()


def _bookings(now: datetime) -> None:
    """Create the notices of requested bookings that began, and of bookings that end."""
    informed = _informed("on_booking_start")
    for booking in bookings_begun(now).filter(was_requested=True):
        if booking.owner_id not in informed:
            text = partial(begin_text, booking)
            _create(booking.owner, begin_key(booking), booking_path(booking), text)
    informed = _informed("on_booking_end")
    for booking in bookings_ending(now):
        if booking.owner_id not in informed:
            text = partial(booking_text, booking)
            _create(booking.owner, booking_key(booking), booking_path(booking), text)


def _holds() -> None:
    """Create the notices of hosts on hold, for admins."""
    held = list(hosts_held())
    informed = _informed("on_unhealthy") if held else set()
    admins = User.objects.filter(role=Role.ADMIN, is_active=True).exclude(pk__in=informed)
    for admin in admins if held else ():
        for host in held:
            path = reverse("host_detail", args=[host.pk])
            _create(admin, hold_key(host), path, partial(hold_text, host))


def _informed(condition: str) -> set[int]:
    """Return the users who have an alert with this condition."""
    rows = Alert.objects.filter(enabled=True, **{condition: True})
    return set(rows.values_list("owner", flat=True))


def _create(user: User, key: str, path: str, text: Callable[[], str]) -> None:
    if not user.email or not user.is_active:
        return
    if AlertNotification.objects.filter(user=user, key=key).exists():
        return
    with text_for(user):
        lines = [text()]
    AlertNotification.objects.bulk_create(
        [
            AlertNotification(
                user=user, key=key, path=path, text_lines=lines, kind=AlertNotification.Kind.NOTICE
            )
        ],
        ignore_conflicts=True,
    )
