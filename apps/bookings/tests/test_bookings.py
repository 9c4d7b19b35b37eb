"""Who may book what and when: overlaps, rights and bad input."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.exceptions import PermissionDenied
from django.db import connections

from apps.accounts.models import AuditEntry, User
from apps.accounts.tests.factories import create_team, create_user
from apps.bookings.models import Booking
from apps.bookings.selectors.bookings import closures_between
from apps.bookings.services.bookings import booking_draft, booking_end, booking_save
from apps.bookings.tests.factories import create_booking, create_maintenance, hours
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.tests.factories import (
    create_archive_host,
    create_cluster,
    create_disk,
    create_host,
    create_pool,
    public_line,
)


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def refusal(user: User, *hosts: Host, **fields: Any) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        create_booking(user, *hosts, **fields)
    return caught.value


def test_booking_over_another_is_refused_with_its_holder(
    owner: User, stranger: User, host: Host
) -> None:
    create_booking(owner, host, start=1, end=3)
    error = refusal(stranger, host, start=2, end=4)
    assert error.status == 409
    assert error.message.startswith("owner has booked node1 from ")
    assert "(a kernel test)" in error.message
    assert Booking.objects.count() == 1
    create_booking(stranger, host, start=3, end=4)


def test_booking_of_another_entry_of_the_machine_is_refused(owner: User, stranger: User) -> None:
    key = public_line()
    create_booking(owner, create_host(host_key=key))
    assert refusal(stranger, create_host(host_key=key)).status == 409


def test_booking_of_a_shared_disks_other_host_is_refused(owner: User, stranger: User) -> None:
    first, second = create_host(), create_host()
    for host in (first, second):
        create_disk(host=host, enrolled_by=owner, identity="wwn:naa.600508b1001c5e3d")
    create_booking(owner, first)
    assert refusal(stranger, second).status == 409


def test_booking_of_another_pool_of_the_cluster_is_refused(owner: User, stranger: User) -> None:
    cluster = create_cluster()
    first, second = (
        create_pool(owner=owner, host=create_host(cluster=cluster), name=name)
        for name in ("one", "two")
    )
    create_booking(owner, pools=(first,))
    assert refusal(stranger, pools=(second,)).status == 409


def test_ended_booking_leaves_its_time_to_others(owner: User, stranger: User, host: Host) -> None:
    booking = create_booking(owner, host, start=-0.05, end=3)
    booking_end(booking=booking, user=owner)
    create_booking(stranger, host, end=3)
    assert booking_state(booking) == "ended"
    with pytest.raises(ServiceError):
        booking_end(booking=booking, user=owner)


def booking_state(booking: Booking) -> str:
    return Booking.objects.get(pk=booking.pk).state


def test_maintenance_may_lie_over_a_booking_but_not_the_other_way(
    owner: User, admin: User, host: Host
) -> None:
    create_booking(owner, host, start=1, end=2)
    create_maintenance(admin, host, start=0, end=6)
    error = refusal(owner, host, start=3, end=4)
    assert error.status == 409
    assert error.message.startswith("Maintenance of node1 from ")


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"start": 2, "end": 1}, "ends_at"),
        ({"start": 1, "end": 0.9999}, "ends_at"),
        ({"start": -0.05, "end": -0.01}, "ends_at"),
        ({"start": -5, "end": 1}, "starts_at"),
        ({"end": 7 * 24 + 1}, "ends_at"),
        ({"start": 366 * 24, "end": 366 * 24 + 1}, "starts_at"),
        ({"reason": "  "}, "reason"),
        ({"reason": "x" * 201}, "reason"),
        ({"weekly": True}, "weekly"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"repeat_until": hours(48).date()}, "repeat_until"),
        ({"hosts": ()}, "hosts"),
    ],
)
def test_bad_input_is_refused_by_field(
    owner: User, host: Host, fields: dict[str, Any], name: str
) -> None:
    error = refusal(owner, host, **fields)
    assert (error.status, list(error.fields)) == (400, [name])
    assert not Booking.objects.exists()


def test_host_of_the_archive_is_refused(owner: User) -> None:
    error = refusal(owner, create_archive_host("old"))
    assert error.fields == {"hosts": ["old is only in the archive: no test runs on it."]}


def test_longest_booking_is_a_setting(owner: User, host: Host, settings: LazySettings) -> None:
    settings.BENCHLAB_BOOKING_MAX_DAYS = 1
    assert refusal(owner, host, end=25).fields == {"ends_at": ["At most 1 day."]}
    create_booking(owner, host, end=23.9)


def test_team_of_others_is_refused(owner: User, host: Host) -> None:
    assert list(refusal(owner, host, team=create_team()).fields) == ["team"]


def test_viewers_book_nothing_and_operators_plan_no_maintenance(
    viewer: User, operator: User, host: Host
) -> None:
    with pytest.raises(PermissionDenied):
        create_booking(viewer, host)
    with pytest.raises(PermissionDenied):
        create_maintenance(operator, host)


def test_booking_is_changed_by_owner_team_and_admin_only(
    owner: User, stranger: User, admin: User, host: Host
) -> None:
    team = create_team()
    owner.teams.add(team)
    colleague = create_user(teams=(team,))
    booking = create_booking(owner, host, team=team)
    with pytest.raises(PermissionDenied):
        booking_end(booking=booking, user=stranger)
    with pytest.raises(PermissionDenied):
        booking_save(user=stranger, draft=booking_draft(booking), booking=booking)
    for user in (colleague, admin):
        booking_save(user=user, draft=booking_draft(booking), booking=booking)
    assert booking_end(booking=booking, user=colleague).ended_at is not None
    assert AuditEntry.objects.filter(object_type="booking").count() == 4


def test_booking_cannot_become_maintenance_without_an_admin(
    owner: User, admin: User, host: Host
) -> None:
    maintenance = create_maintenance(admin, host, start=5, end=6)
    draft = booking_draft(create_booking(owner, host))
    with pytest.raises(PermissionDenied):
        booking_save(user=owner, draft=draft, booking=maintenance)


def test_active_booking_is_prolonged_until_the_next_one(
    owner: User, stranger: User, host: Host
) -> None:
    booking = create_booking(owner, host, start=-0.05, end=2)
    create_booking(stranger, host, start=4, end=5)
    draft = booking_draft(booking)
    longer = booking_save(user=owner, draft=draft_with(draft, ends_at=hours(3.9)), booking=booking)
    assert longer.ends_at > hours(3)
    with pytest.raises(ServiceError) as caught:
        booking_save(user=owner, draft=draft_with(draft, ends_at=hours(4.5)), booking=booking)
    assert caught.value.status == 409


def draft_with(draft: Any, **fields: Any) -> Any:
    return type(draft)(**vars(draft) | fields)


def test_closures_name_the_users_for_whom_they_are_open(
    owner: User, stranger: User, admin: User, host: Host
) -> None:
    team = create_team()
    owner.teams.add(team)
    colleague = create_user(teams=(team,))
    create_booking(owner, host, team=team)
    create_maintenance(admin, create_host())
    booking, maintenance = closures_between(hours(-1), hours(1))
    assert [booking.is_open_to(user.pk) for user in (owner, colleague, stranger, admin)] == [
        *(True, True, False, False)
    ]
    assert maintenance.owner_ids == frozenset()


@pytest.mark.django_db(transaction=True)
def test_two_bookings_at_once_leave_one(owner: User, stranger: User) -> None:
    host = create_host()

    def book(user: User) -> str:
        try:
            create_booking(user, host)
        except ServiceError as error:
            return error.message
        finally:
            connections.close_all()
        return ""

    with ThreadPoolExecutor(2) as pool:
        results = sorted(pool.map(book, (owner, stranger)), key=len)
    assert results[0] == ""
    assert "has booked " in results[1]
    assert Booking.objects.count() == 1


def test_weekly_maintenance_of_seven_days_is_refused(admin: User, host: Host) -> None:
    error = refusal(admin, host, end=24 * 6.5, kind=Booking.Kind.MAINTENANCE, weekly=True)
    assert list(error.fields) == ["ends_at"]
    window = create_maintenance(admin, host, end=10, weekly=True, time_zone="Europe/Berlin")
    late = window.starts_at + timedelta(days=28, hours=5)
    assert closures_between(late, late + timedelta(minutes=1))


def test_open_bookings_of_a_person_and_a_host_are_limited(
    owner: User, stranger: User, admin: User, host: Host, settings: LazySettings
) -> None:
    settings.BENCHLAB_BOOKING_MAX_OPEN = 2
    first = create_booking(owner, host, start=1, end=2)
    create_booking(owner, host, start=2, end=3)
    error = refusal(owner, host, start=3, end=4)
    assert (error.status, list(error.fields)) == (400, ["hosts"])
    create_booking(owner, create_host(), start=3, end=4)
    create_booking(stranger, host, start=3, end=4)
    for number in range(4, 7):
        create_booking(admin, host, start=number, end=number + 1)
    booking_end(booking=first, user=owner)
    create_booking(owner, host, start=8, end=9)


def test_booking_of_an_admin_is_limited_for_members_of_its_team(
    admin: User, stranger: User, host: Host, settings: LazySettings
) -> None:
    settings.BENCHLAB_BOOKING_MAX_HOURS = 10
    team = create_team()
    stranger.teams.add(team)
    booking = create_booking(admin, host, start=1, end=20, team=team)
    draft = booking_draft(booking)
    with pytest.raises(ServiceError):
        booking_save(user=stranger, draft=draft_with(draft, ends_at=hours(40)), booking=booking)
    booking_save(user=stranger, draft=draft_with(draft, ends_at=hours(19)), booking=booking)
    booking_save(user=admin, draft=draft_with(draft, ends_at=hours(40)), booking=booking)


def test_hours_of_a_person_and_a_host_are_limited(
    owner: User, admin: User, host: Host, settings: LazySettings
) -> None:
    settings.BENCHLAB_BOOKING_MAX_HOURS = 10
    booking = create_booking(owner, host, start=-0.05, end=6)
    error = refusal(owner, host, start=6, end=11)
    assert (error.status, list(error.fields)) == (400, ["ends_at"])
    create_booking(owner, host, start=30, end=33.9)
    longer = draft_with(booking_draft(booking), ends_at=hours(20))
    with pytest.raises(ServiceError):
        booking_save(user=owner, draft=longer, booking=booking)
    settings.BENCHLAB_BOOKING_MAX_HOURS = 1
    shorter = draft_with(booking_draft(booking), ends_at=hours(5))
    booking_save(user=owner, draft=shorter, booking=booking)
    booking_save(user=admin, draft=draft_with(shorter, ends_at=hours(6)), booking=booking)


def test_pools_of_one_cluster_count_together(owner: User, settings: LazySettings) -> None:
    settings.BENCHLAB_BOOKING_MAX_OPEN = 1
    cluster = create_cluster()
    pools = [
        create_pool(owner=owner, host=create_host(cluster=cluster), name=name)
        for name in ("one", "two")
    ]
    create_booking(owner, pools=pools[:1], start=1, end=2)
    assert list(refusal(owner, pools=pools[1:], start=3, end=4).fields) == ["hosts"]
