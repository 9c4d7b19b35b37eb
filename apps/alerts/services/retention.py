"""Retention of notifications and of causes that are gone."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from apps.alerts.models import AlertCause, AlertMessage
from apps.common.domain.months import months_before
from apps.common.services import due_rows

MONTHS = 12


def notifications_due() -> QuerySet[AlertMessage]:
    """Return old notifications that are sent or failed."""
    before = months_before(timezone.now(), MONTHS)
    rows = AlertMessage.objects.filter(made_at__lt=before)
    return rows.exclude(state=AlertMessage.State.WAITING)


def causes_due() -> QuerySet[AlertCause]:
    """Return causes that were gone long ago."""
    return AlertCause.objects.filter(over_at__lt=months_before(timezone.now(), MONTHS))


RETENTION = [
    due_rows(
        AlertMessage,
        "12 months, unless it still waits to be sent",
        notifications_due,
        task="alerts.retention",
    ),
    due_rows(AlertCause, "12 months after it was gone", causes_due, task="alerts.retention"),
]
