"""Retention of notifications and causes."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.alerts.models import Alert, AlertCause, AlertMessage
from apps.alerts.tasks import retention

OLD = timezone.now() - timedelta(days=400)


def test_old_notifications_are_deleted_unless_they_wait(owner: User) -> None:
    alert = Alert.objects.create(name="night", owner=owner)
    for state in AlertMessage.State.values:
        AlertMessage.objects.create(alert=alert, lines=["old"], state=state)
    AlertMessage.objects.update(made_at=OLD)
    AlertMessage.objects.create(alert=alert, lines=["new"], state=AlertMessage.State.SENT)

    retention()

    rows = AlertMessage.objects.order_by("pk")
    assert [(row.state, row.lines) for row in rows] == [("waiting", ["old"]), ("sent", ["new"])]


def test_causes_gone_for_12_months_are_deleted(owner: User) -> None:
    alert = Alert.objects.create(name="night", owner=owner)
    AlertCause.objects.create(alert=alert, key="gone", since=OLD, over_at=OLD)
    AlertCause.objects.create(alert=alert, key="here", since=OLD)
    AlertCause.objects.create(alert=alert, key="just gone", since=OLD, over_at=timezone.now())

    retention()

    assert {row.key for row in AlertCause.objects.all()} == {"here", "just gone"}
