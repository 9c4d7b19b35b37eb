"""Retention of notifications and of resolved incidents."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from apps.alerts.models import AlertIncident, AlertNotification
from apps.common.domain.months import months_before
from apps.common.services import due_rows

MONTHS = 12


def notifications_due() -> QuerySet[AlertNotification]:
    """Return old notifications that are sent or failed."""
    before = months_before(timezone.now(), MONTHS)
    rows = AlertNotification.objects.filter(created_at__lt=before)
    return rows.exclude(state=AlertNotification.State.WAITING)


def incidents_due() -> QuerySet[AlertIncident]:
    """Return incidents that were resolved long ago."""
    return AlertIncident.objects.filter(resolved_at__lt=months_before(timezone.now(), MONTHS))


RETENTION = [
    due_rows(
        AlertNotification,
        "12 months, unless it still waits to be sent",
        notifications_due,
        task="alerts.retention",
    ),
    due_rows(
        AlertIncident, "12 months after it was resolved", incidents_due, task="alerts.retention"
    ),
]
