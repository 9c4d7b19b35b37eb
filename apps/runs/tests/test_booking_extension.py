"""Bookings that go on while nobody waits."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from apps.accounts.models import AuditEntry, User
from apps.bookings.models import Booking
from apps.bookings.services.bookings import booking_draft, booking_save
from apps.bookings.tests.factories import create_booking, create_request
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.services import host_hold
from apps.inventory.tests.factories import create_host
from apps.runs.services.bookings import EXTEND_BEFORE, bookings_extend
from apps.runs.tests.factories import create_disk, create_run

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def ending(user: User, host: Host, minutes: float = 5, *, extends: bool = True) -> Booking:
    """A booking with extension that began an hour ago and ends in some minutes."""
    booking = create_booking(user, host, extends=extends)
    now = timezone.now()
    times = {"starts_at": now - HOUR, "ends_at": now + timedelta(minutes=minutes)}
    Booking.objects.filter(pk=booking.pk).update(**times)
    booking.refresh_from_db()
    return booking


def extended(booking: Booking) -> timedelta:
    """Extend what ends soon; by how much this booking was."""
    before = booking.ends_at
    bookings_extend()
    booking.refresh_from_db()
    return booking.ends_at - before


def test_booking_that_ends_soon_goes_on_for_an_hour(owner: User, host: Host) -> None:
    booking = ending(owner, host)
    end = booking.ends_at
    assert extended(booking) == HOUR
    assert booking.extended_from == end
    assert extended(booking) == timedelta()
    assert AuditEntry.objects.filter(action="extend", user=None).exists()


def test_booking_without_the_wish_or_far_from_its_end_stays(owner: User, host: Host) -> None:
    assert extended(ending(owner, host, extends=False)) == timedelta()
    later = EXTEND_BEFORE / timedelta(minutes=1) + 1
    assert extended(ending(owner, create_host(), minutes=later)) == timedelta()


def test_run_of_others_that_waits_ends_the_booking(owner: User, stranger: User, host: Host) -> None:
    booking = ending(owner, host)
    create_run(owner=owner, target=create_disk(host=host, owner=owner))
    create_run(owner=stranger, target=create_disk(host=create_host(), owner=stranger))
    assert extended(booking) == HOUR
    Booking.objects.update(ends_at=timezone.now() + timedelta(minutes=5))
    booking.refresh_from_db()
    create_run(owner=stranger, target=create_disk(host=host, owner=stranger))
    assert extended(booking) == timedelta()


def test_request_of_others_that_waits_ends_the_booking(
    owner: User, stranger: User, host: Host
) -> None:
    booking = ending(owner, host)
    create_request(stranger, host)
    assert extended(booking) == timedelta()


def test_run_that_waits_for_a_host_on_hold_does_not_count(
    owner: User, stranger: User, admin: User, host: Host
) -> None:
    booking = ending(owner, host)
    create_run(owner=stranger, target=create_disk(host=host, owner=stranger))
    host_hold(host=host, user=admin, reason="new disk")
    assert extended(booking) == HOUR


def test_extension_ends_before_the_next_booking_and_at_the_longest_length(
    owner: User, stranger: User, host: Host, settings: LazySettings
) -> None:
    booking = ending(owner, host)
    following = create_booking(stranger, host, start=0.5, end=1)
    assert extended(booking) > timedelta(minutes=20)
    assert booking.ends_at == following.starts_at
    other = ending(owner, create_host())
    settings.BENCHLAB_BOOKING_MAX_DAYS = 1
    start = other.ends_at - timedelta(hours=23.5)
    Booking.objects.filter(pk=other.pk).update(starts_at=start)
    other.refresh_from_db()
    assert extended(other) == timedelta(minutes=30)
    Booking.objects.filter(pk=other.pk).update(
        ends_at=timezone.now() + timedelta(minutes=5), starts_at=timezone.now() - timedelta(days=2)
    )
    other.refresh_from_db()
    assert extended(other) == timedelta()


def test_another_end_by_hand_begins_anew(owner: User, host: Host) -> None:
    booking = ending(owner, host)
    bookings_extend()
    booking.refresh_from_db()
    draft = booking_draft(booking)
    booking_save(user=owner, draft=draft, booking=booking)
    booking.refresh_from_db()
    assert booking.extended_from is not None
    later = booking_draft(booking).__class__(**{**vars(draft), "ends_at": draft.ends_at + HOUR})
    booking_save(user=owner, draft=later, booking=booking)
    booking.refresh_from_db()
    assert booking.extended_from is None


def test_maintenance_is_not_extended(admin: User, host: Host) -> None:
    with pytest.raises(ServiceError) as refused:
        create_booking(admin, host, kind=Booking.Kind.MAINTENANCE, extends=True)
    assert set(refused.value.fields) == {"extends"}


def test_booking_of_a_disabled_account_ends(owner: User, host: Host) -> None:
    booking = ending(owner, host)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert extended(booking) == timedelta()
