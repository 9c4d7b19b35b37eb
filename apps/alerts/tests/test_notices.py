"""Messages before the end of a booking and about a host on hold: once, and to whom they concern."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.alerts.models import AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.bookings.models import Booking
from apps.bookings.services.bookings import booking_end
from apps.bookings.tests.factories import create_booking, create_maintenance, hours
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host
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
