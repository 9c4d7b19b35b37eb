"""Deliver notifications of alerts by e-mail and webhook.

Safe to interrupt: one process at a time takes a notification. Interrupted between delivery and its
record, a channel receives it twice.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.readers import text_for
from apps.alerts.domain.bodies import BODIES, AlertBody
from apps.alerts.domain.webhooks import WebhookError, post, signature
from apps.alerts.models import AlertNotification
from apps.alerts.schemas import Way
from apps.common.database.encryption import SecretUnreadable
from apps.tools.messages import error_message, join_messages, message

MAX_ATTEMPTS = 8
"""Attempts of a notification, 1, 2, 4 ... minutes apart: two hours in all."""
LEASE = timedelta(minutes=5)
"""Longer than a mail server and a webhook take together; each call times out after 10 s."""


def notification_send(pk: int) -> None:
    """Send a due notification, unless another process does or the hours are quiet.

    No row lock and no transaction is held during a delivery.
    """
    row = _lease(pk)
    if row is None:
        return
    with text_for(row.alert.owner):
        _deliver(row)


def _deliver(row: AlertNotification) -> None:
    content = AlertBody(row.alert.name, row.text_lines, _link(row))
    problems = [_record_delivery(row, "mail", _mail(row, content))]
    problems.append(_record_delivery(row, "webhook", _webhook(row, content)))
    _settle(row, join_messages(*filter(None, problems), between=" "))


@transaction.atomic
def _lease(pk: int) -> AlertNotification | None:
    """Take a notification for LEASE; an attempt that never returned counts."""
    now = timezone.now()
    row = (
        AlertNotification.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("alert__owner")
        .filter(pk=pk, state=AlertNotification.State.WAITING, next_at__lte=now)
        .first()
    )
    if row is None or (row.alert.is_quiet(now) and row.alert.enabled):
        return None
    if row.attempts >= MAX_ATTEMPTS:
        _settle(row, row.problem or message("No attempt returned. See the worker's log."))
        return None
    row.attempts += 1
    row.next_at = now + LEASE
    row.save(update_fields=["attempts", "next_at"])
    return row


def _record_delivery(row: AlertNotification, way: Way, problem: str | None) -> str:
    """Record at once that a channel accepted the notification. Return the problem.

    `problem` is empty after a delivery and None without a receiver.
    """
    if problem == "":
        row.delivered_to = [*row.delivered_to, way]
        row.save(update_fields=["delivered_to"])
    return problem or ""


def _settle(row: AlertNotification, problem: str) -> None:
    row.problem = problem
    if not problem:
        row.state, row.sent_at = AlertNotification.State.SENT, timezone.now()
    elif row.attempts >= MAX_ATTEMPTS:
        row.state = AlertNotification.State.FAILED
    else:
        row.next_at = timezone.now() + timedelta(minutes=2 ** (row.attempts - 1))
    row.save(update_fields=["problem", "state", "sent_at", "next_at"])


def _mail(row: AlertNotification, content: AlertBody) -> str | None:
    """Send the e-mail. Return the problem; None without a receiver."""
    if not row.alert.addresses or "mail" in row.delivered_to:
        return None
    if not settings.EMAIL_HOST:
        return message("No mail server is set (EMAIL_URL).")
    try:
        EmailMessage(content.subject, content.text, to=row.alert.addresses).send()
    except (OSError, ValueError) as error:
        return message("E-mail: %(why)s", why=error_message(error))
    return ""


def _webhook(row: AlertNotification, content: AlertBody) -> str | None:
    """Call the webhook. Return the problem; None without a webhook."""
    if not row.alert.webhook or "webhook" in row.delivered_to:
        return None
    try:
        address, secret = row.alert.webhook_credentials()
        body = BODIES[row.alert.webhook](content)
        post(address, body, signature(secret, body))
    except (OSError, WebhookError, SecretUnreadable) as error:
        return message("%(host)s: %(why)s", host=row.alert.webhook_host, why=error_message(error))
    return ""


def _link(row: AlertNotification) -> str:
    """Return the absolute URL of the run or view; empty without BENCHLAB_PUBLIC_URL."""
    base = settings.PUBLIC_URL.rstrip("/")
    if not base:
        return ""
    if row.alert.view:
        return f"{base}{reverse(row.alert.view)}?{row.alert.query}"
    return f"{base}{reverse('run_detail', args=[row.run_id])}" if row.run_id else base
