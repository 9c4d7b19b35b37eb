"""The calendar feed of a user: an address with a token, for calendar programs."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from apps.accounts.models import User
from apps.accounts.services import tokens_have_ended
from apps.bookings.domain.icalendar import CalendarEvent, icalendar
from apps.bookings.domain.occurrences import occurrences
from apps.bookings.models import Booking
from apps.bookings.selectors.bookings import bookings_visible, unended

SALT = "apps.bookings.selectors.feed"
BEFORE, AFTER = timedelta(days=7), timedelta(days=90)


def feed_token(user: User) -> str:
    """Return the token of a user's feed. It ends with the password and with "End all sessions"."""
    return signing.dumps([user.pk, _proof(user)], salt=SALT)


def user_of_token(token: str) -> User | None:
    """Return the active user of a token, else None."""
    try:
        pk, proof = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    if user is None or not constant_time_compare(str(proof), _proof(user)):
        return None
    if tokens_have_ended(user):
        return None
    return user


def _proof(user: User) -> str:
    return user.get_session_auth_hash()[:32]


def feed_document() -> str:
    """Return present and later bookings as an iCalendar document."""
    now = timezone.now()
    rows = bookings_visible().filter(unended(now - BEFORE), starts_at__lt=now + AFTER)
    events = [
        CalendarEvent(
            f"booking-{row.pk}-{interval.start:%Y%m%dT%H%M}@benchlab",
            interval,
            _summary(row),
            row.updated_at,
            _url(),
        )
        for row in rows
        for interval in occurrences(row.window, now - BEFORE, now + AFTER)
    ]
    return icalendar(events, "benchlab")


def _summary(row: Booking) -> str:
    names = ", ".join([*(host.name for host in row.hosts.all()), *map(str, row.pools.all())])
    if row.is_maintenance:
        return f"{names}: maintenance, {row.reason}"
    return f"{names}: {row.team.name if row.team else row.owner.username}, {row.reason}"


def _url() -> str:
    base = settings.PUBLIC_URL.rstrip("/")
    return f"{base}{reverse('booking_list')}" if base else ""
