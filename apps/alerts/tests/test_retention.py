"""Retention of notifications and causes."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.alerts.models import Alert, AlertIncident, AlertNotification
from apps.alerts.tasks import retention

OLD = timezone.now() - timedelta(days=400)


def test_old_notifications_are_deleted_unless_they_wait(owner: User) -> None:
    alert = Alert.objects.create(name="night", owner=owner)
    for state in AlertNotification.State.values:
        AlertNotification.objects.create(alert=alert, text_lines=["old"], state=state)
    AlertNotification.objects.update(created_at=OLD)
    AlertNotification.objects.create(
        alert=alert, text_lines=["new"], state=AlertNotification.State.SENT
    )

    retention()

    rows = AlertNotification.objects.order_by("pk")
    assert [(row.state, row.text_lines) for row in rows] == [
        ("waiting", ["old"]),
        ("sent", ["new"]),
    ]


def test_causes_gone_for_12_months_are_deleted(owner: User) -> None:
    alert = Alert.objects.create(name="night", owner=owner)
    AlertIncident.objects.create(alert=alert, key="gone", firing_since=OLD, resolved_at=OLD)
    AlertIncident.objects.create(alert=alert, key="here", firing_since=OLD)
    AlertIncident.objects.create(
        alert=alert, key="just gone", firing_since=OLD, resolved_at=timezone.now()
    )

    retention()

    assert {row.key for row in AlertIncident.objects.all()} == {"here", "just gone"}
