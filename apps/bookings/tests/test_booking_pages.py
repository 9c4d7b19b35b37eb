"""Pages of bookings: list, form, end and feed, for three users."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.selectors.feed import feed_token
from apps.bookings.tests.factories import create_booking, create_maintenance, hours
from apps.common.domain.preferences import Preferences, preferred
from apps.common.forms.timestamps import ZonedDateTimeField
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host

MINUTE = "%Y-%m-%dT%H:%M"


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def sent(host: Host, start: float = 1, end: float = 3, **fields: object) -> dict[str, object]:
    values: dict[str, object] = {
        "hosts": [host.pk],
        "starts_at": hours(start).strftime(MINUTE),
        "ends_at": hours(end).strftime(MINUTE),
        "reason": "a kernel test",
    }
    return values | fields


def test_form_books_and_list_shows_for_whom(
    owner_client: Client, viewer_client: Client, host: Host
) -> None:
    answer = owner_client.post(reverse("booking_add"), sent(host))
    assert answer.status_code == 302
    page = viewer_client.get(reverse("booking_list")).content.decode()
    assert "node1" in page
    assert "a kernel test" in page
    assert "End now" not in page
    assert "Cancel this booking" not in page


def test_form_has_no_maintenance_for_operators(
    owner_client: Client, admin_client: Client, host: Host
) -> None:
    add = reverse("booking_add")
    assert 'name="weekly"' not in owner_client.get(add).content.decode()
    assert 'name="weekly"' in admin_client.get(add).content.decode()
    owner_client.post(add, sent(host, kind="maintenance", weekly="on"))
    assert [(one.kind, one.weekly) for one in Booking.objects.all()] == [("booking", False)]


def test_admin_plans_weekly_maintenance(admin_client: Client, host: Host) -> None:
    fields = sent(host, kind="maintenance", weekly="on", time_zone="Europe/Berlin")
    assert admin_client.post(reverse("booking_add"), fields).status_code == 302
    booking = Booking.objects.get()
    assert (booking.kind, booking.weekly, booking.time_zone) == (
        *("maintenance", True),
        "Europe/Berlin",
    )


def test_message_of_saved_maintenance_differs_from_that_of_a_booking(
    admin_client: Client, host: Host
) -> None:
    texts = set()
    for start, kind in ((1, "booking"), (5, "maintenance")):
        fields = sent(host, start, start + 2, kind=kind)
        page = admin_client.post(reverse("booking_add"), fields, follow=True)
        texts |= {str(one) for one in page.context["messages"]}
    assert len(texts) == 2


def test_overlap_is_shown_with_the_other_holder(
    owner: User, operator_client: Client, host: Host
) -> None:
    create_booking(owner, host, start=1, end=2)
    answer = operator_client.post(reverse("booking_add"), sent(host))
    assert answer.status_code == 400
    assert "owner has booked node1 from" in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("starts_at", "tomorrow"),
        ("starts_at", "9999-99-99T99:99"),
        ("ends_at", "0001-01-01T00:00"),
        ("ends_at", "9999-12-31T23:59"),
        ("hosts", "999999"),
        ("hosts", "x"),
        ("reason", "\0"),
        ("reason", "x" * 201),
    ],
)
def test_bad_input_is_refused(owner_client: Client, host: Host, name: str, value: str) -> None:
    answer = owner_client.post(reverse("booking_add"), sent(host) | {name: value})
    assert answer.status_code == 400
    assert not Booking.objects.exists()


def test_stranger_neither_changes_nor_ends(
    owner: User, stranger_client: Client, host: Host
) -> None:
    booking = create_booking(owner, host)
    for name in ("booking_edit", "booking_end"):
        answer = stranger_client.post(reverse(name, args=[booking.pk]), sent(host))
        assert answer.status_code == 403
    booking.refresh_from_db()
    assert booking.ended_at is None


def test_owner_ends_and_a_second_time_is_refused_in_words(
    owner: User, owner_client: Client, host: Host
) -> None:
    booking = create_booking(owner, host)
    end = reverse("booking_end", args=[booking.pk])
    assert "Ended." in owner_client.post(end, follow=True).content.decode()
    assert "has ended already" in owner_client.post(end, follow=True).content.decode()
    assert "a kernel test" not in owner_client.get(reverse("booking_list")).content.decode()
    shown = owner_client.get(reverse("booking_list"), {"ended": "on"}).content.decode()
    assert "a kernel test" in shown


def test_times_are_read_on_the_clock_of_the_user() -> None:
    field = ZonedDateTimeField()
    with preferred(Preferences(time_zone="Europe/Berlin")):
        value = field.clean("2026-07-01T12:00")
        assert f"{value:%H:%M %Z}" == "10:00 UTC"
        assert field.prepare_value(value).strftime(MINUTE) == "2026-07-01T12:00"
        with pytest.raises(Exception, match="summer time begins"):
            field.clean("2026-03-29T02:30")
        assert f"{field.clean('2026-10-25T02:30'):%H:%M}" == "00:30"


def test_host_page_shows_its_bookings(owner: User, viewer_client: Client, host: Host) -> None:
    create_booking(owner, host, start=5, end=6)
    page = viewer_client.get(reverse("host_detail", args=[host.pk])).content.decode()
    assert "a kernel test" in page


def test_feed_is_readable_without_a_login_until_the_password_changes(
    owner: User, admin: User, host: Host, page_client: Callable[[User], Client]
) -> None:
    create_booking(owner, host, start=1, end=2, reason="new; kernel, " + "ä" * 80)
    create_maintenance(admin, host, start=5, end=6, weekly=True)
    address = reverse("booking_feed", args=[feed_token(owner)])
    answer = Client().get(address)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    body = answer.content.decode()
    assert "SUMMARY:node1: owner\\, new\\; kernel\\, " in body
    assert body.count("BEGIN:VEVENT") == 14
    assert all(len(line.encode()) <= 75 for line in body.split("\r\n"))
    assert Client().get(address.replace(".ics", "x.ics")).status_code == 404
    owner.set_password("another long password")
    owner.save()
    assert Client().get(address).status_code == 404


def test_feed_of_a_disabled_user_ends(owner: User) -> None:
    address = reverse("booking_feed", args=[feed_token(owner)])
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert Client().get(address).status_code == 404


def test_weekly_window_stays_in_the_list_and_is_active(
    admin: User, admin_client: Client, host: Host
) -> None:
    window = create_maintenance(admin, host, start=0, end=1, weekly=True)
    later = timezone.now() + timedelta(days=30)
    assert window.state_at(later) == "active"
    assert window.starts_at.astimezone(ZoneInfo("UTC")) < later
    assert "each week" in admin_client.get(reverse("booking_list")).content.decode()


def test_next_free_is_requested_shown_and_cancelled_on_pages(
    owner_client: Client, owner: User, host: Host, stranger: User
) -> None:
    page = owner_client.get(reverse("booking_request"), {"host": host.pk})
    assert page.status_code == 200
    body = {"hosts": [host.pk], "hours": "2", "reason": "kernel test"}
    assert owner_client.post(reverse("booking_request"), body).status_code == 302
    row = BookingRequest.objects.get()
    cancel = reverse("request_cancel", args=[row.pk])
    for name in ("queue", "booking_list"):
        text = owner_client.get(reverse(name)).content.decode()
        assert "Next free for 2 hours: node1" in text
        assert cancel in text
    assert "Starts" in owner_client.get(reverse("queue")).content.decode()
    other = Client()
    other.force_login(stranger)
    assert other.post(cancel).status_code == 403
    assert owner_client.post(cancel).status_code == 302
    assert not BookingRequest.objects.exists()
    assert owner_client.post(cancel).status_code == 302


@pytest.mark.parametrize(("name", "value"), [("hours", "0"), ("hours", "169"), ("reason", "")])
def test_bad_request_is_refused(owner_client: Client, host: Host, name: str, value: str) -> None:
    body = {"hosts": [host.pk], "hours": "2", "reason": "kernel test"} | {name: value}
    assert owner_client.post(reverse("booking_request"), body).status_code == 400
    assert not BookingRequest.objects.exists()


def test_form_books_with_extension(owner_client: Client, host: Host) -> None:
    begin = timezone.now() + timedelta(hours=1)
    body = {
        "hosts": [host.pk],
        "starts_at": f"{begin:%Y-%m-%dT%H:%M}",
        "ends_at": f"{begin + timedelta(hours=2):%Y-%m-%dT%H:%M}",
        "reason": "kernel test",
        "extends": "on",
    }
    assert owner_client.post(reverse("booking_add"), body).status_code == 302
    assert Booking.objects.get().extends is True
    text = owner_client.get(reverse("booking_list")).content.decode()
    assert "extended while nobody waits" in text
