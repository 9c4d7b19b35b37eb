"""A run never starts into a booking of others or a window; three users share the hosts."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team, create_user
from apps.bookings.models import Booking
from apps.bookings.services.bookings import booking_end
from apps.bookings.tests.factories import create_booking, create_maintenance
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host, public_line
from apps.plans.models import CaseTime
from apps.runs.models import Case, Claim, Run, RunState
from apps.runs.selectors.needs import run_needs
from apps.runs.services.leases import run_try_start
from apps.runs.tests.factories import create_disk, create_run
from apps.runs.tests.queued_runs import run_end, run_of, start_reason

HOUR = 3600.0


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


@pytest.fixture
def third(db: None) -> User:
    return create_user(username="third")


def test_run_of_another_waits_for_the_end_of_a_booking(
    owner: User, stranger: User, third: User, host: Host
) -> None:
    booking = create_booking(owner, host)
    until = f"{booking.ends_at:%Y-%m-%d %H:%M} UTC"
    words = f"waits until {until}: owner has booked node1 (a kernel test)"
    assert start_reason(run_of(stranger, host)) == words
    assert start_reason(run_of(third, host)) == words
    assert start_reason(run_of(owner, host)) == ""
    assert Claim.objects.filter(resource=f"host:{host.pk}").count() == 1


def test_members_of_the_bookings_team_may_start(owner: User, stranger: User, host: Host) -> None:
    team = create_team()
    owner.teams.add(team)
    colleague = create_user(teams=(team,))
    create_booking(owner, host, team=team)
    assert start_reason(run_of(stranger, host)) != ""
    assert start_reason(run_of(colleague, host)) == ""


def test_nobodys_run_starts_into_maintenance(owner: User, admin: User, host: Host) -> None:
    create_maintenance(admin, host)
    for user in (owner, admin):
        assert "maintenance of node1 (new firmware)" in start_reason(run_of(user, host))


def test_run_whose_first_block_would_reach_into_a_booking_waits(
    owner: User, stranger: User, host: Host
) -> None:
    booking = create_booking(owner, host, start=1, end=2)
    long, short = run_of(stranger, host, 1.2 * HOUR / 1.5), run_of(stranger, host, 600)
    reason = start_reason(long)
    assert reason.startswith(f"waits until {booking.ends_at:%Y-%m-%d %H:%M} UTC: its next block")
    assert "reach into the booking of node1 by owner" in reason
    assert start_reason(short) == ""


def test_run_with_many_short_blocks_starts_before_a_booking(
    owner: User, stranger: User, host: Host
) -> None:
    create_booking(owner, host, start=1, end=2)
    assert start_reason(run_of(stranger, host, seconds=600, repeats=30)) == ""


def test_expected_time_is_widened_by_what_earlier_cases_took(
    owner: User, stranger: User, host: Host
) -> None:
    create_booking(owner, host, start=1, end=2)
    run = run_of(stranger, host, seconds=1200)
    for taken in (1, 1, 1, 1, 1, 1, 1, 1, 4, 4):
        CaseTime.objects.create(
            host=host,
            tool="fio",
            workload=run.cases.get().workload,
            planned=1,
            expected=1,
            taken=taken,
        )
    assert run_needs([run.pk])[run.pk].block == 4800
    assert "its next block" in start_reason(run)


def test_booking_of_a_host_closes_its_other_entry_and_its_shared_disk(
    owner: User, stranger: User
) -> None:
    key, wwn = public_line(), "wwn:naa.600508b1001c5e3d"
    booked = create_host(host_key=key)
    create_disk(host=booked, owner=owner, identity=wwn)
    create_booking(owner, booked)
    other_entry = run_of(stranger, create_host(host_key=key))
    disk = create_disk(host=create_host(), owner=stranger, identity=wwn)
    shared = create_run(owner=stranger, target=disk)
    assert "has booked its machine" in start_reason(other_entry)
    assert "has booked a disk that it uses" in start_reason(shared)


def test_young_run_in_its_own_booking_passes_an_older_one_and_yields_at_its_end(
    owner: User, stranger: User, host: Host
) -> None:
    older = run_of(stranger, host)
    booking = create_booking(owner, host)
    younger = run_of(owner, host)
    assert start_reason(older) != ""
    assert start_reason(younger) == ""
    assert younger.yields_at == booking.ends_at


def test_young_run_passes_a_held_one_only_if_it_ends_well_before(
    owner: User, stranger: User, third: User, host: Host
) -> None:
    create_booking(owner, host, start=1, end=2)
    held = run_of(stranger, host, 5 * HOUR)
    assert "its next block" in start_reason(held)
    too_long = run_of(third, host, seconds=600, repeats=9)
    assert start_reason(too_long) == f"waits its turn behind run {held.pk}"
    run_end(too_long)
    assert start_reason(run_of(third, host, seconds=600)) == ""


def test_nobody_passes_an_older_run_that_waits_for_its_turn(
    owner: User, stranger: User, host: Host
) -> None:
    running = run_of(owner, host)
    assert start_reason(running) == ""
    older, younger = run_of(owner, host), run_of(stranger, host)
    run_end(running)
    assert start_reason(younger) == f"waits its turn behind run {older.pk}"


def test_ended_booking_lets_the_older_run_start_first(
    owner: User, stranger: User, third: User, host: Host
) -> None:
    booking = create_booking(owner, host, start=-0.05, end=5)
    older, younger = run_of(stranger, host), run_of(third, host)
    assert start_reason(older) != ""
    booking_end(booking=booking, user=owner)
    assert start_reason(younger) == f"waits its turn behind run {older.pk}"
    assert start_reason(older) == ""


def test_block_longer_than_every_gap_gives_way_to_its_cases(
    owner: User, admin: User, host: Host
) -> None:
    create_maintenance(admin, host, start=12, end=24 * 5, weekly=True)
    run = run_of(owner, host, seconds=HOUR, repeats=1)
    case = run.cases.get()
    Case.objects.bulk_create(
        Case(
            run=run,
            sequence=number,
            block=1,
            workload=case.workload,
            run_target=case.run_target,
            run_tuning=case.run_tuning,
            expected_seconds=HOUR,
        )
        for number in range(1, 200)
    )
    assert start_reason(run) == ""


minutes = st.integers(-4, 60)


@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    booked=st.lists(
        st.tuples(st.integers(0, 3), minutes, st.integers(1, 60), st.integers(0, 1)), max_size=5
    ),
    runs=st.lists(
        st.tuples(st.integers(0, 2), st.integers(1, 90), st.integers(0, 1)), min_size=1, max_size=4
    ),
)
def test_no_started_run_reaches_into_a_closure_of_others(
    owner: User,
    stranger: User,
    third: User,
    admin: User,
    booked: list[tuple[int, int, int, int]],
    runs: list[tuple[int, int, int]],
) -> None:
    """Property: users 0 to 2 book, 3 plans maintenance; whatever starts ends before them."""
    users = (owner, stranger, third)
    hosts = (create_host(), create_host())
    for user, start, length, host in booked:
        book(users[user] if user < 3 else None, admin, hosts[host], start, length)
    for user, length, host in runs:
        run = run_of(users[user], hosts[host], length * 60 / 1.5)
        now = timezone.now()
        if start_reason(run) == "":
            assert not entered(run, hosts[host], now, now + timedelta(minutes=length))
    Claim.objects.all().delete()
    Run.objects.all().update(state=RunState.CANCELLED, lease_until=None)
    Booking.objects.all().delete()


def book(user: User | None, admin: User, host: Host, start: int, length: int) -> None:
    begin, end = start / 60, (start + length) / 60
    taken = host.bookings.filter(
        starts_at__lt=timezone.now() + timedelta(hours=end + 0.1),
        ends_at__gt=timezone.now() + timedelta(hours=begin - 0.1),
    )
    if end <= 0.02 or (user is not None and taken.exists()):
        return
    if user is None:
        create_maintenance(admin, host, start=begin, end=end)
    else:
        create_booking(user, host, start=begin, end=end)


def entered(run: Run, host: Host, start: datetime, end: datetime) -> bool:
    """Return True if the time overlaps a booking of others: the rule, said in SQL."""
    closed = host.bookings.filter(starts_at__lt=end - timedelta(seconds=5), ends_at__gt=start)
    return closed.exclude(kind="booking", owner=run.owner).exists()


@pytest.mark.django_db(transaction=True)
def test_run_that_starts_while_a_booking_is_stored_waits_for_it(
    owner: User, stranger: User
) -> None:
    host = create_host()
    run = run_of(stranger, host)

    def start() -> int | None:
        try:
            return run_try_start(run_id=run.pk, worker="w")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            create_booking(owner, host)
            starting = pool.submit(start)
            time.sleep(0.3)  # it waits for the lock that the booking has
            assert not starting.done()
        assert starting.result(20) is None
    assert not Claim.objects.exists()
