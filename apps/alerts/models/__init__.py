"""Alerts, their incidents, and notifications."""

from apps.alerts.models.alerts import CONDITIONS, ENDED_STATES, Alert
from apps.alerts.models.notifications import AlertIncident, AlertNotification, WebhookRate

__all__ = [
    "CONDITIONS",
    "ENDED_STATES",
    "Alert",
    "AlertIncident",
    "AlertNotification",
    "WebhookRate",
]
