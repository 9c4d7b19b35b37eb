"""Messages before the end of a booking and about a host on hold: once, and to whom they concern."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from apps.acceptance.tests.factories import create_acceptance
from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.bookings.models import Booking
from apps.bookings.services.bookings import booking_end
from apps.bookings.tests.factories import (
    create_booking,
    create_maintenance,
    create_request,
    hours,
)
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_disk, create_host
from apps.runs.services.bookings import bookings_extend, requests_begin
from apps.tools.messages import message

pytestmark = pytest.mark.django_db
MAIL = "lab@example.org"


@pytest.fixture(autouse=True)
def server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail"
    settings.PUBLIC_URL = "https://bench.lab"


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


@pytest.fixture
def booker(owner: User) -> User:
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    owner.refresh_from_db()
    return owner


def sent() -> list[tuple[list[str], str]]:
    """Evaluate twice; return recipients and bodies of the mail since the last call."""
    mail.outbox.clear()
    alerts_evaluate()
    alerts_evaluate()
    return [(list(one.to), str(one.body)) for one in mail.outbox]


def test_owner_gets_one_message_a_day_before_the_end(booker: User, host: Host) -> None:
    booking = create_booking(booker, host, end=30)
    assert sent() == []
    with time_machine.travel(hours(6.5)):
        ((to, text),) = sent()
        assert to == ["owner@example.org"]
        assert text.startswith("The booking of node1 ends at ")
        assert f"https://bench.lab/bookings/{booking.pk}/edit/" in text
        assert mail.outbox[0].subject.startswith("benchlab: The booking of node1")
        assert sent() == []


def test_another_end_moves_the_message(booker: User, host: Host) -> None:
    booking = create_booking(booker, host, end=30)
    with time_machine.travel(hours(7)):
        assert len(sent()) == 1
        Booking.objects.filter(pk=booking.pk).update(ends_at=hours(40))
        assert sent() == []
    with time_machine.travel(hours(24)):
        assert len(sent()) == 1
        assert sent() == []


def test_an_acceptance_sends_one_message_about_its_lot(booker: User, host: Host) -> None:
    disks = [create_disk(host=host) for _number in range(3)]
    row = create_acceptance(booker, *disks, state="ended", ended_at=timezone.now())
    ((to, text),) = sent()
    assert to == ["owner@example.org"]
    assert text.startswith("Delivery: 2 of 3 accepted; 1: slot 0 verify failed")
    assert f"https://bench.lab/acceptances/{row.pk}/" in text
    assert sent() == []


@pytest.mark.parametrize(("is_own", "messages"), [(True, 1), (False, 0)])
def test_an_alert_reports_the_acceptances_of_its_owner(
    booker: User, operator: User, host: Host, *, is_own: bool, messages: int
) -> None:
    alert = Alert.objects.create(
        owner=booker if is_own else operator, name="Lots", on_acceptance=True, mail="a@example.org"
    )
    create_acceptance(
        booker, create_disk(host=host), state="ended", ended_at=timezone.now() + timedelta(hours=1)
    )
    rows = [text for to, text in sent() if to == ["a@example.org"]]
    assert len(rows) == messages
    assert all("0 of 1 accepted; 1: slot 0 verify failed" in text for text in rows)
    assert alert.notifications.count() == messages


def test_short_ended_and_maintenance_bookings_send_nothing(
    booker: User, admin: User, host: Host
) -> None:
    create_booking(booker, host, end=23)
    create_maintenance(admin, host, end=48)
    booking_end(booking=create_booking(booker, create_host(), end=30), user=booker)
    with time_machine.travel(hours(10)):
        assert sent() == []
    with time_machine.travel(hours(47)):
        assert sent() == []


def test_no_mail_server_or_address_is_no_failure(owner: User, host: Host, settings: Any) -> None:
    create_booking(owner, host, end=25)
    with time_machine.travel(hours(2)):
        assert sent() == []
        User.objects.filter(pk=owner.pk).update(email="owner@example.org")
        settings.EMAIL_HOST = ""
        assert sent() == []
    assert not AlertNotification.objects.exists()


def test_alert_of_the_owner_replaces_the_notice(booker: User, stranger: User, host: Host) -> None:
    team = create_team()
    booker.teams.add(team)
    fields = {"name": "mine", "mail": MAIL, "on_booking_end": True, "team": team}
    alert_save(user=booker, fields=fields)
    create_booking(booker, host, end=25)
    create_booking(stranger, create_host(name="node2"), end=25)
    stranger.teams.add(team)
    create_booking(stranger, create_host(name="node3"), end=25, team=team)
    with time_machine.travel(hours(2)):
        ((to, text),) = sent()
    assert to == [MAIL]
    assert ("node1" in text, "node2" in text, "node3" in text) == (True, False, True)


def test_admins_get_one_message_about_a_host_on_hold(admin: User, booker: User, host: Host) -> None:
    User.objects.filter(pk=admin.pk).update(email="admin@example.org")
    alert_save(user=booker, fields={"name": "hosts", "mail": MAIL, "on_unhealthy": True})
    reason = message("2 runs failed")
    Host.objects.filter(pk=host.pk).update(held_since=timezone.now(), hold_reason=reason)
    messages = sorted(sent())
    assert [to for to, _text in messages] == [["admin@example.org"], [MAIL]]
    assert all("Host node1 is on hold: 2 runs failed" in text for _to, text in messages)
    assert sent() == []
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        Host.objects.filter(pk=host.pk).update(held_since=None, hold_reason="")
        assert sent() == []
        Host.objects.filter(pk=host.pk).update(held_since=timezone.now(), hold_reason=reason)
        assert len(sent()) == 2


def test_begin_of_a_booking_is_one_message(booker: User, host: Host) -> None:
    booking = create_booking(booker, host, start=3, end=8)
    create_booking(booker, create_host(name="node2"), start=0.5, end=3)
    with time_machine.travel(hours(2.9)):
        assert sent() == []
    with time_machine.travel(hours(3.1)):
        ((to, text),) = sent()
        assert to == ["owner@example.org"]
        assert text.startswith("The booking of node1 begins, until ")
        assert f"https://bench.lab/bookings/{booking.pk}/edit/" in text
        assert sent() == []


def test_begin_of_an_ended_or_maintenance_booking_sends_nothing(
    booker: User, admin: User, host: Host
) -> None:
    create_maintenance(admin, host, start=3, end=8)
    booking_end(booking=create_booking(booker, create_host(), start=3, end=8), user=booker)
    with time_machine.travel(hours(4)):
        assert sent() == []


def test_alert_reports_the_begins_of_its_owner_and_team(
    booker: User, stranger: User, host: Host
) -> None:
    team = create_team()
    for user in (booker, stranger):
        user.teams.add(team)
    create_booking(booker, host, start=3, end=8)
    create_booking(stranger, create_host(name="node2"), start=3, end=8)
    create_booking(stranger, create_host(name="node3"), start=3, end=8, team=team)
    fields = {"name": "mine", "mail": MAIL, "on_booking_begin": True, "team": team}
    alert_save(user=booker, fields=fields)
    with time_machine.travel(hours(4)):
        ((to, text),) = sent()
        assert to == [MAIL]
        assert [f"node{number}" in text for number in (1, 2, 3)] == [True, False, True]
        alert_save(user=booker, fields=fields | {"name": "later"})
        assert sent() == []


def test_requested_booking_that_begins_sends_one_message(booker: User, host: Host) -> None:
    create_request(booker, host)
    assert sent() == []
    requests_begin()
    ((to, text),) = sent()
    assert to == ["owner@example.org"]
    assert text.startswith("The booking of node1 begins, until ")
    assert sent() == []


def test_extension_sends_no_further_message(booker: User, host: Host) -> None:
    booking = create_booking(booker, host, end=30, extends=True)
    with time_machine.travel(hours(7)):
        ((_to, text),) = sent()
        assert "if others wait then" in text
    with time_machine.travel(hours(29.9)):
        bookings_extend()
        booking.refresh_from_db()
        assert booking.extended_from is not None
        assert sent() == []
