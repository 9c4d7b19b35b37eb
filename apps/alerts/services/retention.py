"""Retention of notifications and of resolved incidents."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.alerts.models import AlertIncident, AlertNotification, WebhookRate
from apps.alerts.selectors.acceptances import ACCEPTANCE
from apps.alerts.selectors.approvals import APPROVAL
from apps.alerts.selectors.bookings import BOOKING
from apps.alerts.selectors.detection import FAILED
from apps.alerts.selectors.ended import ENDED
from apps.common.domain.months import months_before
from apps.common.services import due_rows

MONTHS = 12
EVENTS = (ENDED, FAILED, BOOKING, ACCEPTANCE, APPROVAL)
"""Prefixes of the keys of incidents that are never resolved."""


def notifications_due() -> QuerySet[AlertNotification]:
    """Return old notifications that are sent or failed."""
    before = months_before(timezone.now(), MONTHS)
    rows = AlertNotification.objects.filter(created_at__lt=before)
    return rows.exclude(state=AlertNotification.State.WAITING)


def incidents_due() -> QuerySet[AlertIncident]:
    """Return incidents that were resolved long ago, and old events, which are never resolved."""
    before = months_before(timezone.now(), MONTHS)
    due = Q(resolved_at__lt=before)
    for prefix in EVENTS:
        due |= Q(key__startswith=prefix, firing_since__lt=before)
    return AlertIncident.objects.filter(due)


def rates_due() -> QuerySet[WebhookRate]:
    """Return addresses without a message for a month."""
    return WebhookRate.objects.filter(updated_at__lt=months_before(timezone.now(), 1))


RETENTION = [
    due_rows(
        AlertNotification,
        "12 months, unless it still waits to be sent",
        notifications_due,
        task="alerts.retention",
    ),
    due_rows(
        AlertIncident,
        "12 months after it was resolved; an event, such as the end of a run, 12 months",
        incidents_due,
        task="alerts.retention",
    ),
    due_rows(
        WebhookRate,
        "a month after the last message to the address",
        rates_due,
        task="alerts.retention",
    ),
]
