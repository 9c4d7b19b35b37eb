"""In which order notifications leave, for how long, and when an alert is paused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.alerts.domain.receivers import recipient_of
from apps.alerts.models import Alert, AlertIncident, AlertNotification
from apps.alerts.services import evaluate
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.alerts.services.retention import EVENTS, incidents_due
from apps.alerts.tests.imitated_receivers import ImitatedReceivers
from apps.alerts.tests.robots import robot, sent
from apps.runs.models import RunState
from apps.runs.services.runs import run_retry
from apps.runs.tests.factories import create_run, end_run

MAIL = "lab@example.org"


@pytest.fixture(autouse=True)
def server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail"


def alert_of(user: User, **fields: Any) -> Alert:
    return alert_save(user=user, fields={"name": "lab", "mail": MAIL} | fields)


def notified(alert: Alert, *texts: str, **fields: Any) -> list[AlertNotification]:
    rows = AlertNotification.objects
    return [rows.create(alert=alert, text_lines=[text], **fields) for text in texts]


def lines() -> list[str]:
    """Evaluate; return the first line of each mail."""
    alerts_evaluate()
    return [str(one.body).splitlines()[0] for one in mail.outbox]


def test_older_notifications_leave_first_and_retries_last(owner: User) -> None:
    alert = alert_of(owner)
    notified(alert, "retry", attempts=1)
    notified(alert, "first", "second", "third")
    assert lines() == ["first", "second", "third", "retry"]


def test_slow_receivers_do_not_hold_an_evaluation(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "SENDING_SECONDS", 0.0)
    notified(alert_of(owner), "first", "second")
    assert lines() == ["first"]
    assert lines() == ["first", "second"]


def test_quiet_notification_lets_others_pass(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "MAX_NOTIFICATIONS", 1)
    with time_machine.travel("2026-01-01T10:00:00Z", tick=False) as clock:
        quiet = alert_of(owner, quiet_from=9, quiet_to=12)
        notified(quiet, "quiet")
        notified(alert_of(owner), "loud")
        assert lines() == []
        assert lines() == ["loud"]
        clock.shift(timedelta(hours=2))
        assert lines() == ["loud", "quiet"]


def test_alert_of_a_user_who_left_sends_nothing(
    owner: User, admin_client: Client, viewer_client: Client
) -> None:
    alert = alert_of(owner)
    (waiting,) = notified(alert, "waiting")
    User.objects.filter(pk=owner.pk).update(is_active=False)
    end_run(create_run(owner=owner), RunState.FAILED)
    assert lines() == []
    waiting.refresh_from_db()
    assert waiting.state == AlertNotification.State.FAILED
    assert alert.notifications.count() == 1
    for page in (reverse("alert_detail", args=[alert.pk]), reverse("alert_list")):
        assert "paused" in viewer_client.get(page).content.decode()
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        assert lines() == []
        User.objects.filter(pk=owner.pk).update(is_active=True)
        assert lines() == []
        end_run(create_run(owner=owner), RunState.FAILED)
        assert len(lines()) == 1


def test_alert_of_a_team_outlasts_its_owner(owner: User) -> None:
    team = create_team()
    owner.teams.add(team)
    alert_of(owner, team=team)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    end_run(create_run(owner=owner), RunState.FAILED)
    assert len(lines()) == 1


def test_failure_of_a_retried_run_is_notified_again(owner: User) -> None:
    alert_of(owner)
    run = create_run(owner=owner)
    end_run(run, RunState.FAILED)
    assert len(lines()) == 1
    run_retry(run=run, user=owner)
    run.refresh_from_db()
    end_run(run, RunState.FAILED)
    assert len(lines()) == 2


def test_page_shows_the_conditions_to_everybody(owner: User, viewer_client: Client) -> None:
    alert = alert_of(owner, on_change=True, on_booking_begin=True)
    page = viewer_client.get(reverse("alert_detail", args=[alert.pk])).content.decode()
    assert "a booking begins" in page
    assert "a level changed" not in page


def test_api_sends_a_test(owner: User, stranger: User, api: Callable[..., APIClient]) -> None:
    path = f"/api/v1/alerts/{alert_of(owner).pk}/send-test/"
    assert api(stranger).post(path).status_code == 403
    answer = api(owner).post(path)
    assert (answer.status_code, answer.json()["state"]) == (202, "waiting")
    assert len(lines()) == 1


@pytest.mark.parametrize("prefix", EVENTS)
def test_incident_of_an_event_is_due_after_a_year(owner: User, prefix: str) -> None:
    AlertIncident.objects.create(alert=alert_of(owner), key=f"{prefix}1")
    assert not incidents_due().exists()
    with time_machine.travel(timezone.now() + timedelta(days=400)):
        assert incidents_due().count() == 1


@pytest.mark.parametrize(
    "other",
    [
        "https://OAPI.dingtalk.com/robot/send?access_token=1",
        "https://oapi.dingtalk.com.:443/robot/send?access_token=1",
        "https://oapi.dingtalk.com/robot/send?timestamp=15&access_token=1&sign=abc%3D",
    ],
)
def test_spellings_of_an_address_are_one_recipient(other: str) -> None:
    address = "https://oapi.dingtalk.com/robot/send?access_token=1"
    assert recipient_of(other) == recipient_of(address)
    assert recipient_of(f"{address}2") != recipient_of(address)
    assert recipient_of("http://oapi.dingtalk.com/robot/send?access_token=1") != recipient_of(
        address
    )


def test_limit_counts_all_spellings_of_an_address(
    owner: User, receivers: ImitatedReceivers
) -> None:
    pasted = receivers.address("dingtalk") + "&timestamp=1599360473000&sign=abc%3D"
    alerts = [
        robot(owner, receivers, "dingtalk"),
        robot(owner, receivers, "dingtalk", webhook_address=pasted),
    ]
    for number in range(20):
        notified(alerts[number % 2], str(number))
    alerts_evaluate()
    assert len(receivers.taken) == 18
    assert sent(alerts[0]).state == "waiting"
