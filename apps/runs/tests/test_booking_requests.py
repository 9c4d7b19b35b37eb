"""Requested bookings: their turn in the queue, what holds them, and runs behind them."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import cache
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.services.bookings import booking_end
from apps.bookings.services.requests import request_cancel
from apps.bookings.tests.factories import create_booking, create_maintenance, create_request
from apps.inventory.models import Host
from apps.inventory.services import host_hold, host_release
from apps.inventory.tests.factories import create_host, create_pool
from apps.runs.models import Priority, Run
from apps.runs.selectors.forecasts import forecast_now
from apps.runs.services.bookings import requests_begin
from apps.runs.tests.queued_runs import run_end, run_of, start_reason

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def blocker(request: BookingRequest) -> str:
    """Try to begin all; "" if this one did, else why it waits."""
    requests_begin()
    row = BookingRequest.objects.filter(pk=request.pk).first()
    return row.blocker if row else ""


def test_request_of_a_free_host_begins_at_once(owner: User, host: Host) -> None:
    request = create_request(owner, host)
    assert blocker(request) == ""
    booking = Booking.objects.get()
    assert (booking.owner, booking.was_requested) == (owner, True)
    assert booking.ends_at - booking.starts_at == timedelta(hours=2)
    assert list(booking.hosts.all()) == [host]


def test_request_waits_for_the_running_run_and_passes_the_younger_one(
    owner: User, stranger: User, host: Host
) -> None:
    running = run_of(stranger, host)
    assert start_reason(running) == ""
    request = create_request(owner, host)
    younger = run_of(stranger, host)
    assert blocker(request).endswith(f"which run {running.pk} holds")
    run_end(running)
    behind = "waits its turn behind the requested booking of owner (a kernel test)"
    assert start_reason(younger) == behind
    assert blocker(request) == ""
    assert "owner has booked node1" in start_reason(younger)
    assert start_reason(run_of(owner, host)) == ""


def test_request_waits_after_an_older_run_and_before_a_lower_one(
    owner: User, stranger: User, host: Host
) -> None:
    older = run_of(stranger, host)
    low = run_of(stranger, host)
    Run.objects.filter(pk=low.pk).update(priority=Priority.LOW)
    request = create_request(owner, host)
    assert blocker(request) == f"waits its turn behind run {older.pk}"
    assert start_reason(older) == ""
    run_end(older)
    assert blocker(request) == ""
    assert "owner has booked node1" in start_reason(low)


def test_waiting_raises_a_request_above_a_high_run(owner: User, stranger: User, host: Host) -> None:
    request = create_request(owner, host)
    high = run_of(stranger, host)
    Run.objects.filter(pk=high.pk).update(priority=Priority.HIGH)
    assert blocker(request) == f"waits its turn behind run {high.pk}"
    since = timezone.now() - timedelta(hours=49)
    BookingRequest.objects.update(waiting_since=since)
    assert blocker(request) == ""


def test_request_reaches_into_no_booking_or_window(
    owner: User, stranger: User, admin: User, host: Host
) -> None:
    booking = create_booking(stranger, host, start=1, end=3)
    request = create_request(owner, host)
    text = blocker(request)
    assert text.startswith(f"waits until {booking.ends_at:%Y-%m-%d %H:%M} UTC: it would reach into")
    assert "the booking of node1 by stranger" in text
    short = create_request(owner, host, hours=1, reason="short")
    Booking.objects.filter(pk=booking.pk).update(starts_at=timezone.now() + timedelta(hours=2))
    assert blocker(short) == ""
    booking_end(booking=booking, user=stranger)
    Booking.objects.filter(was_requested=True).delete()
    create_maintenance(admin, host, start=1, end=2)
    assert "the maintenance of node1" in blocker(request)


def test_requests_of_a_host_begin_in_their_order(owner: User, stranger: User, host: Host) -> None:
    create_request(owner, host)
    second = create_request(stranger, host)
    assert "owner has booked node1" in blocker(second)
    with time_machine.travel(timezone.now() + timedelta(hours=2, minutes=1)):
        assert blocker(second) == ""


def test_request_of_several_hosts_waits_until_all_are_free(
    owner: User, stranger: User, host: Host
) -> None:
    other = create_host(name="node2")
    running = run_of(stranger, other)
    assert start_reason(running) == ""
    request = create_request(owner, host, other)
    assert "node2" in blocker(request)
    run_end(running)
    assert blocker(request) == ""


def test_request_for_a_host_on_hold_gives_way(
    owner: User, stranger: User, admin: User, host: Host
) -> None:
    other = create_host(name="node2")
    host_hold(host=host, user=admin, reason="new disk")
    request = create_request(owner, host, other)
    assert blocker(request) == ("waits until an admin releases node1, which is on hold: new disk")
    assert start_reason(run_of(stranger, other)) == ""
    host_release(host=host, user=admin)
    assert "node2" in blocker(request)


def test_request_of_an_account_that_may_not_book_waits_and_holds_up_nobody(
    owner: User, stranger: User, host: Host
) -> None:
    request = create_request(owner, host)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    requests_begin()
    assert BookingRequest.objects.filter(pk=request.pk).exists()
    assert start_reason(run_of(stranger, host)) == ""


def test_cancelled_request_lets_the_next_one_in(owner: User, stranger: User, host: Host) -> None:
    request = create_request(owner, host)
    run = run_of(stranger, host)
    assert "requested booking of owner" in start_reason(run)
    request_cancel(request=request, user=owner)
    assert start_reason(run) == ""


def test_run_in_its_own_booking_passes_a_request_and_yields_to_it(
    owner: User, stranger: User, host: Host
) -> None:
    create_booking(stranger, host, end=2)
    create_request(owner, host)
    run = run_of(stranger, host)
    assert start_reason(run) == ""
    assert run.yields_at == Booking.objects.get().ends_at


def test_forecast_has_the_request_at_its_place(owner: User, stranger: User, host: Host) -> None:
    running = run_of(stranger, host, 600)
    assert start_reason(running) == ""
    request = create_request(owner, host)
    younger = run_of(stranger, host)
    own = run_of(owner, host)
    rows, now = forecast_now(), timezone.now()
    assert rows[-request.pk].after_run == running.pk
    assert abs(rows[-request.pk].start - now - timedelta(minutes=10)) < timedelta(minutes=1)
    assert abs(rows[younger.pk].start - now - timedelta(minutes=130)) < timedelta(minutes=1)
    assert (rows[younger.pk].after_run, rows[younger.pk].after_request) == (None, request.pk)
    assert rows[younger.pk].ahead == 1
    assert rows[own.pk].start >= rows[-request.pk].start


def test_members_of_the_requests_team_may_start_in_it(
    owner: User, stranger: User, host: Host
) -> None:
    team = create_team()
    owner.teams.add(team)
    stranger.teams.add(team)
    assert blocker(create_request(owner, host, team=team)) == ""
    assert start_reason(run_of(stranger, host)) == ""


def test_request_whose_pool_was_deleted_is_cancelled(owner: User, host: Host) -> None:
    pool = create_pool(owner=owner, host=host)
    request = create_request(owner, pools=(pool,))
    pool.delete()
    requests_begin()
    assert not BookingRequest.objects.filter(pk=request.pk).exists()
    assert not Booking.objects.exists()


def test_fair_share_decides_between_a_run_and_a_request(
    owner: User, stranger: User, host: Host, settings: LazySettings
) -> None:
    settings.BENCHLAB_QUEUE_FAIR_SHARE = True
    used = run_of(owner, create_host())
    assert start_reason(used) == ""
    used.claims.update(taken_at=timezone.now() - timedelta(hours=5))
    cache.clear()
    request = create_request(owner, host)
    run = run_of(stranger, host)
    assert blocker(request) == f"waits its turn behind run {run.pk}"
    assert start_reason(run) == ""
