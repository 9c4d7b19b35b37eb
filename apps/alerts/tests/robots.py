"""Alerts with the webhooks of imitated receivers."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.services.alerts import alert_save
from apps.alerts.services.evaluate import alerts_evaluate
from apps.alerts.tests.imitated_receivers import SECRET, ImitatedReceivers

KINDS = ("dingtalk", "wecom", "feishu")
SIGNED = ("dingtalk", "feishu")


def robot(owner: User, receivers: ImitatedReceivers, kind: str, **fields: Any) -> Alert:
    secret = SECRET if kind in SIGNED else ""
    usual = {"webhook_address": receivers.address(kind), "webhook_secret": secret}
    return alert_save(user=owner, fields={"name": "lab", "webhook": kind} | usual | fields)


def sent(alert: Alert, *lines: str) -> AlertNotification:
    row = AlertNotification.objects.create(alert=alert, text_lines=list(lines) or ["slow"])
    alerts_evaluate()
    row.refresh_from_db()
    return row


def again(row: AlertNotification) -> AlertNotification:
    AlertNotification.objects.filter(pk=row.pk).update(next_at=timezone.now())
    alerts_evaluate()
    row.refresh_from_db()
    return row
