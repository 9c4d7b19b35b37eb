"""An alert ends with the access of its owner, unless somebody of its team answers for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.runs.models import Run, RunState
from apps.runs.tests.factories import create_run, end_run

CHOICES = ("on_change", "on_expectation_missed", "on_failed")


@pytest.fixture(autouse=True)
def server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail"


@pytest.fixture
def alert(operator: User) -> Alert:
    fields = {"name": "x", "mail": "at-home@example.org", "on_ended": ["failed"]}
    return alert_save(user=operator, fields=fields | dict.fromkeys(CHOICES, False))


def set_active(user: User, *, active: bool) -> None:
    User.objects.filter(pk=user.pk).update(is_active=active)


def failed(owner: User) -> None:
    run = create_run(owner=owner)
    end_run(run, RunState.FAILED)
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())


def test_alert_of_a_disabled_owner_sends_nothing(alert: Alert, owner: User) -> None:
    set_active(alert.owner, active=False)
    failed(owner)
    alerts_evaluate()
    assert not AlertNotification.objects.exists()


def test_waiting_message_of_a_disabled_owner_is_not_sent(alert: Alert) -> None:
    row = AlertNotification.objects.create(alert=alert, text_lines=["news"])
    set_active(alert.owner, active=False)
    alerts_evaluate()
    assert mail.outbox == []
    set_active(alert.owner, active=True)
    alerts_evaluate()
    row.refresh_from_db()
    assert (len(mail.outbox), row.state) == (1, "sent")


def test_what_ended_while_the_owner_was_disabled_is_no_news(alert: Alert, owner: User) -> None:
    set_active(alert.owner, active=False)
    failed(owner)
    Run.objects.update(finished_at=timezone.now() - timedelta(minutes=10))
    Alert.objects.update(created_at=timezone.now() - timedelta(days=1))
    alerts_evaluate()
    set_active(alert.owner, active=True)
    alerts_evaluate()
    assert not AlertNotification.objects.exists()


def test_alert_of_a_team_with_an_active_member_goes_on(alert: Alert, owner: User) -> None:
    team = create_team()
    team.members.set([alert.owner, owner])
    Alert.objects.update(team=team)
    set_active(alert.owner, active=False)
    failed(owner)
    alerts_evaluate()
    assert len(mail.outbox) == 1
    set_active(owner, active=False)
    AlertNotification.objects.create(alert=alert, text_lines=["news"])
    alerts_evaluate()
    assert len(mail.outbox) == 1


def test_page_of_an_abandoned_alert_has_the_reason(alert: Alert, viewer_client: Client) -> None:
    where = f"/alerts/{alert.pk}/"
    assert not viewer_client.get(where).context["is_abandoned"]
    set_active(alert.owner, active=False)
    assert viewer_client.get(where).context["is_abandoned"]
