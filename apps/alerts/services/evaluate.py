"""Evaluate alerts for ended runs and hosts, and send due notifications.

Safe to interrupt: an incident is stored with its notification, and one process at a time takes a
notification. Interrupted between delivery and its record, a channel receives it twice.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.alerts.domain.bodies import BODIES, AlertBody
from apps.alerts.domain.webhooks import WebhookError, post, signature
from apps.alerts.models import Alert, AlertIncident, AlertNotification
from apps.alerts.schemas import Way
from apps.alerts.selectors.detection import Cause, Detection, detect_hosts, detect_run, touches
from apps.common.database.encryption import SecretUnreadable
from apps.runs.models import FINAL_RUN, Run
from apps.tools.messages import error_message, join_messages, message

log = logging.getLogger(__name__)
OVERLAP = timedelta(minutes=5)
"""A run may be stored this long after one that ended later; so long it is remembered as evaluated.
"""
MAX_RUNS = 100
"""Runs of one evaluation."""
MAX_ATTEMPTS = 8
"""Attempts of a notification, 1, 2, 4 ... minutes apart: two hours in all."""
LEASE = timedelta(minutes=5)
"""Longer than a mail server and a webhook take together; each call times out after 10 s."""


def alerts_evaluate() -> None:
    """Evaluate all alerts, then send. A failing alert or notification does not stop the others."""
    for alert in Alert.objects.filter(enabled=True).order_by("pk"):
        try:
            alert_evaluate(alert)
        except Exception:
            log.exception("alert %s could not be evaluated", alert.pk)
    for key in AlertNotification.objects.filter(
        state=AlertNotification.State.WAITING, next_at__lte=timezone.now()
    ).values_list("pk", flat=True)[:200]:
        try:
            send(key)
        except Exception:
            log.exception("notification %s could not be sent", key)


def alert_evaluate(alert: Alert) -> None:
    """Evaluate the runs that ended since the last evaluation, oldest first, and the hosts."""
    rows = Run.objects.filter(state__in=FINAL_RUN, finished_at__gt=alert.evaluated_until - OVERLAP)
    ended = rows.filter(finished_at__gte=alert.created_at).exclude(pk__in=alert.evaluated_runs)
    for run in ended.order_by("finished_at", "pk")[:MAX_RUNS]:
        if touches(alert, run):
            notification_create(alert, detect_run(alert, run), run)
        _mark_evaluated(alert, run)
    if alert.on_unhealthy:
        notification_create(alert, detect_hosts(alert), None)


def _mark_evaluated(alert: Alert, run: Run) -> None:
    """Record that a run was evaluated; a later run may resolve its incidents."""
    latest = max(alert.evaluated_until, run.finished_at or alert.evaluated_until)
    near = Run.objects.filter(
        pk__in=[*alert.evaluated_runs, run.pk], finished_at__gt=latest - OVERLAP
    )
    alert.evaluated_until, alert.evaluated_runs = latest, list(near.values_list("pk", flat=True))
    alert.save(update_fields=["evaluated_until", "evaluated_runs"])


@transaction.atomic
def notification_create(
    alert: Alert, detection: Detection, run: Run | None
) -> AlertNotification | None:
    """Create one notification for all new causes; return None without any."""
    Alert.objects.select_for_update().get(pk=alert.pk)  # serialises concurrent evaluations
    incidents = {row.key: row for row in alert.incidents.all()}
    now = timezone.now()
    present = {cause.key[:300] for cause in detection.causes}
    for key, row in incidents.items():
        checked = any(key.startswith(prefix) for prefix in detection.checked)
        if checked and key not in present and row.resolved_at is None:
            AlertIncident.objects.filter(pk=row.pk).update(resolved_at=now)
    new = [
        cause for cause in detection.causes if _is_new(alert, cause, incidents.get(cause.key[:300]))
    ]
    if not new:
        return None
    for cause in new:
        since = max(now, cause.since or now)
        alert.incidents.update_or_create(
            key=cause.key[:300], defaults={"firing_since": since, "resolved_at": None}
        )
    return AlertNotification.objects.create(
        alert=alert, run=run, text_lines=[cause.text for cause in new]
    )


def _is_new(alert: Alert, cause: Cause, incident: AlertIncident | None) -> bool:
    """Return True if no notification was sent for the cause.

    A change is new if it began after the alert was created and after the last notified change,
    because each run estimates its begin anew.
    """
    if cause.since is not None:
        return cause.since > (incident.firing_since if incident else alert.created_at)
    return incident is None or incident.resolved_at is not None


def send(pk: int) -> None:
    """Send a due notification, unless another process does or the hours are quiet.

    No row lock and no transaction is held during a delivery.
    """
    row = _lease(pk)
    if row is None:
        return
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
        .select_related("alert")
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
