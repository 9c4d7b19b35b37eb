"""Deliver notifications of alerts by e-mail and webhook.

Safe to interrupt: one process at a time takes a notification. Interrupted between delivery and its
record, a channel receives it twice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.readers import text_for
from apps.accounts.services import audit_record
from apps.alerts.domain.bodies import AlertBody
from apps.alerts.domain.receivers import (
    MessageRefused,
    recipient_of,
    request_for,
    response_check,
    secrets_of,
)
from apps.alerts.domain.webhooks import InnerAddressError, WebhookError, post
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.schemas import Way
from apps.alerts.services.rate import MESSAGES_A_MINUTE, webhook_rate_take
from apps.common.database.encryption import SecretUnreadable
from apps.tools.messages import error_message, join_messages, message

MAX_ATTEMPTS = 8
"""Attempts of a notification, 1, 2, 4 ... minutes apart: two hours in all."""
LEASE = timedelta(minutes=5)
"""Longer than a mail server and a webhook take together; each call times out after 10 s."""
QUIET_STEP = timedelta(seconds=30)
"""A notification waits so long for the next look at the quiet hours, and lets others pass."""


def notification_send(pk: int) -> None:
    """Send a due notification, unless another process does or the hours are quiet.

    No row lock and no transaction is held during a delivery.
    """
    row = _lease(pk)
    if row is None:
        return
    with text_for(row.reader):
        _deliver(row)


def _deliver(row: AlertNotification) -> None:
    is_summarised = row.kind != AlertNotification.Kind.CAUSES
    name = row.alert.name if row.alert else ""
    content = AlertBody(name, row.text_lines, _link(row), is_summarised)
    outcomes = []
    if (outcome := _mail(row, content)) is not None:
        outcomes.append(_record_delivery(row, "mail", outcome))
    if (outcome := _webhook(row, content)) is not None:
        outcomes.append(_record_delivery(row, "webhook", outcome))
    _settle(row, outcomes)


@dataclass(frozen=True)
class Outcome:
    """Outcome of an attempt by one channel; without a problem it accepted the notification.

    `is_final`: a retry would not help. `not_before`: the rate limit postponed it.
    """

    problem: str = ""
    is_final: bool = False
    not_before: datetime | None = None


@transaction.atomic
def _lease(pk: int) -> AlertNotification | None:
    """Take a notification for LEASE; an attempt that never returned counts."""
    now = timezone.now()
    row = (
        AlertNotification.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("alert__owner", "user")
        .filter(pk=pk, state=AlertNotification.State.WAITING, next_at__lte=now)
        .first()
    )
    if row is None:
        return None
    if row.alert and row.alert.is_paused:
        _fail(row, message("The owner of the alert may not log in."))
        return None
    if row.alert and row.alert.enabled and row.alert.is_quiet(now):
        row.next_at = now + QUIET_STEP
        row.save(update_fields=["next_at"])
        return None
    if row.attempts >= MAX_ATTEMPTS:
        _fail(row, row.problem or message("No attempt returned. See the worker's log."))
        return None
    row.attempts += 1
    row.next_at = now + LEASE
    row.save(update_fields=["attempts", "next_at"])
    return row


def _fail(row: AlertNotification, problem: str) -> None:
    row.problem, row.state = problem, AlertNotification.State.FAILED
    row.save(update_fields=["problem", "state"])


def _record_delivery(row: AlertNotification, way: Way, outcome: Outcome) -> Outcome:
    """Record at once that a channel accepted or finally refused the notification."""
    if not outcome.problem:
        row.delivered_to = [*row.delivered_to, way]
        row.save(update_fields=["delivered_to"])
    elif outcome.is_final:
        row.refusal = outcome.problem
        row.save(update_fields=["refusal"])
    return outcome


def _settle(row: AlertNotification, outcomes: Sequence[Outcome]) -> None:
    """Set the state and the time of the next attempt. A postponed attempt does not count."""
    open_ = [one for one in outcomes if one.problem and not one.is_final]
    postponed = [one.not_before for one in open_ if one.not_before is not None]
    problems = [row.refusal, *(one.problem for one in open_)]
    row.problem = join_messages(*filter(None, problems), between=" ")
    if not open_:
        row.state = AlertNotification.State.FAILED if row.refusal else AlertNotification.State.SENT
        row.sent_at = None if row.refusal else timezone.now()
    elif len(postponed) == len(open_):
        row.attempts -= 1
        row.next_at = max(postponed)
    elif row.attempts >= MAX_ATTEMPTS:
        row.state = AlertNotification.State.FAILED
    else:
        row.next_at = timezone.now() + timedelta(minutes=2 ** (row.attempts - 1))
    row.save(update_fields=["problem", "state", "sent_at", "next_at", "attempts"])


def _mail(row: AlertNotification, content: AlertBody) -> Outcome | None:
    """Send the e-mail. Return None without a receiver."""
    if not row.addresses or "mail" in row.delivered_to:
        return None
    if not settings.EMAIL_HOST:
        return Outcome(message("No mail server is set (EMAIL_URL)."))
    try:
        EmailMessage(content.subject, content.text, to=row.addresses).send()
    except (OSError, ValueError) as error:
        return Outcome(message("E-mail: %(why)s", why=error_message(error)))
    return Outcome()


def _webhook(row: AlertNotification, content: AlertBody) -> Outcome | None:
    """Call the webhook. Return None without a webhook."""
    alert = row.alert
    if alert is None or not row.has_webhook or row.refusal or "webhook" in row.delivered_to:
        return None
    try:
        not_before = _post(alert, content)
    except (OSError, WebhookError, SecretUnreadable, MessageRefused) as error:
        host, reason = alert.webhook_host, error_message(error)
        if isinstance(error, InnerAddressError) and row.attempts == 1:
            audit_record(user=None, action="refuse", subject=alert, webhook=host)
        problem = message("%(host)s: %(why)s", host=host, why=reason)
        return Outcome(problem, is_final=isinstance(error, MessageRefused))
    if not_before is None:
        return Outcome()
    problem = message(
        "%(host)s: over the limit of %(number)d messages a minute.",
        host=alert.webhook_host,
        number=MESSAGES_A_MINUTE,
    )
    return Outcome(problem, not_before=not_before)


def _post(alert: Alert, content: AlertBody) -> datetime | None:
    """Send to the webhook, signed now. Return when it may be sent, if that is later.

    Raises: OSError, WebhookError, SecretUnreadable, MessageRefused.
    """
    address, secret = alert.webhook_credentials()
    if not_before := webhook_rate_take(recipient_of(address)):
        return not_before
    kind = alert.webhook
    request = request_for(kind, content, address, secret, time.time())
    response = post(request.address, request.body, request.headers)
    response_check(kind, response, secrets_of(address, secret))
    return None


def _link(row: AlertNotification) -> str:
    """Return the absolute URL of the page, run or view; empty without BENCHLAB_PUBLIC_URL."""
    base = settings.PUBLIC_URL.rstrip("/")
    if not base:
        return ""
    if row.path:
        return f"{base}{row.path}"
    if row.alert and row.alert.view and row.kind != AlertNotification.Kind.ENDED:
        return f"{base}{reverse(row.alert.view)}?{row.alert.query}"
    return f"{base}{reverse('run_detail', args=[row.run_id])}" if row.run_id else base
