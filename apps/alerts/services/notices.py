"""Notices by e-mail to users whom no alert tells.

Of the begin and end of a booking, the end of an acceptance, and a host on hold.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TypeVar

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from apps.accounts.models import OwnedModel, Role, User
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
    bookings_beginning,
    bookings_ending,
)
from apps.alerts.selectors.detection import hold_key, hold_text
from apps.inventory.selectors.inventory import hosts_held

R = TypeVar("R", bound=OwnedModel)


def notices_create(now: datetime) -> None:
    """Create the notices that are due, each once. Without a mail server there are none."""
    if not settings.EMAIL_HOST:
        return
    begins, ends = bookings_beginning(now), bookings_ending(now)
    _create_for_owners("on_booking_begin", begins, begin_key, booking_path, begin_text)
    _create_for_owners("on_booking_end", ends, booking_key, booking_path, booking_text)
    ended = acceptances_ended(now)
    _create_for_owners("on_acceptance", ended, acceptance_key, acceptance_path, acceptance_text)
    held = list(hosts_held())
    informed = _informed("on_unhealthy") if held else set()
    admins = User.objects.filter(role=Role.ADMIN, is_active=True).exclude(pk__in=informed)
    for admin in admins if held else ():
        for host in held:
            path = reverse("host_detail", args=[host.pk])
            _create(admin, hold_key(host), path, partial(hold_text, host))


def _create_for_owners(
    condition: str,
    rows: QuerySet[R],
    key: Callable[[R], str],
    path: Callable[[R], str],
    text: Callable[[R], str],
) -> None:
    """Create a notice about each row for its owner, unless an alert of theirs has the condition."""
    informed = _informed(condition)
    for row in rows:
        if row.owner_id not in informed:
            _create(row.owner, key(row), path(row), partial(text, row))


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
