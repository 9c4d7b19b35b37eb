"""One look: runs that ended are judged, hosts are looked at, and what is due is sent. It may be
stopped and started at any moment: a cause is stored with its message, and a message is taken by one
at a time. Killed between a way that took it and the note of that, it is sent there once more.
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
from apps.alerts.models import Alert, AlertCause, AlertMessage
from apps.alerts.schemas import Way
from apps.alerts.selectors.detection import Cause, Detection, judged_hosts, judged_run, touches
from apps.common.database.encryption import SecretUnreadable
from apps.runs.models import FINAL_RUN, Run
from apps.tools.messages import error_message, join_messages, message

log = logging.getLogger(__name__)
OVERLAP = timedelta(minutes=5)
"""A run that ended so long before the latest one may have been stored after it; so long a run is
remembered as judged."""
RUNS = 100
"""Runs of one look."""
TRIES = 8
"""Tries of a message, one, two, four ... minutes apart: two hours together."""
TAKEN = timedelta(minutes=5)
"""Longer than a mail server and a web hook take together (each call of theirs ends after 10 s)."""


def alerts_evaluate() -> None:
    """Judge and send. A defect with one alert or message keeps no other back."""
    for alert in Alert.objects.filter(enabled=True).order_by("pk"):
        try:
            alert_evaluate(alert)
        except Exception:
            log.exception("alert %s could not be judged", alert.pk)
    for due in AlertMessage.objects.filter(
        state=AlertMessage.State.WAITING, next_at__lte=timezone.now()
    ).values_list("pk", flat=True)[:200]:
        try:
            send(due)
        except Exception:
            log.exception("message %s could not be sent", due)


def alert_evaluate(alert: Alert) -> None:
    """Judge the runs that ended since the last look, oldest first, and the hosts."""
    rows = Run.objects.filter(state__in=FINAL_RUN, finished_at__gt=alert.judged_to - OVERLAP)
    ended = rows.filter(finished_at__gte=alert.created_at).exclude(pk__in=alert.judged_runs)
    for run in ended.order_by("finished_at", "pk")[:RUNS]:
        if touches(alert, run):
            notification_create(alert, judged_run(alert, run), run)
        _remember(alert, run)
    if alert.on_unhealthy:
        notification_create(alert, judged_hosts(alert), None)


def _remember(alert: Alert, run: Run) -> None:
    """A run is judged once: its promises may be kept by a later one, which has been judged."""
    latest = max(alert.judged_to, run.finished_at or alert.judged_to)
    near = Run.objects.filter(pk__in=[*alert.judged_runs, run.pk], finished_at__gt=latest - OVERLAP)
    alert.judged_to, alert.judged_runs = latest, list(near.values_list("pk", flat=True))
    alert.save(update_fields=["judged_to", "judged_runs"])


@transaction.atomic
def notification_create(alert: Alert, found: Detection, run: Run | None) -> AlertMessage | None:
    """Create one notification for all new causes; return None without any."""
    Alert.objects.select_for_update().get(pk=alert.pk)  # of two looks the second sees the first's
    known = {row.key: row for row in alert.causes.all()}
    now = timezone.now()
    here = {cause.key[:300] for cause in found.causes}
    for key, row in known.items():
        looked_at = any(key.startswith(prefix) for prefix in found.looked_at)
        if looked_at and key not in here and row.over_at is None:
            AlertCause.objects.filter(pk=row.pk).update(over_at=now)
    new = [cause for cause in found.causes if _is_new(alert, cause, known.get(cause.key[:300]))]
    if not new:
        return None
    for cause in new:
        since = max(now, cause.since or now)
        alert.causes.update_or_create(
            key=cause.key[:300], defaults={"since": since, "over_at": None}
        )
    return AlertMessage.objects.create(alert=alert, run=run, lines=[cause.text for cause in new])


def _is_new(alert: Alert, cause: Cause, known: AlertCause | None) -> bool:
    """Return True if no notification was sent for the cause.

    A change is new if it began after the alert was created and after the last notified change,
    because each run estimates its begin anew.
    """
    if cause.since is not None:
        return cause.since > (known.since if known else alert.created_at)
    return known is None or known.over_at is not None


def send(pk: int) -> None:
    """Send a message that is due, unless somebody else does, or it is quiet. What a mail server or
    a web hook takes long for holds no row and no transaction.
    """
    row = _taken(pk)
    if row is None:
        return
    content = AlertBody(row.alert.name, row.lines, _link(row))
    problems = [_sent(row, "mail", _mail(row, content))]
    problems.append(_sent(row, "hook", _hook(row, content)))
    _settle(row, join_messages(*filter(None, problems), between=" "))


@transaction.atomic
def _taken(pk: int) -> AlertMessage | None:
    """The message, which nobody else takes for as long as TAKEN; a try that never came back has
    been one, too.
    """
    now = timezone.now()
    row = (
        AlertMessage.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("alert")
        .filter(pk=pk, state=AlertMessage.State.WAITING, next_at__lte=now)
        .first()
    )
    if row is None or (row.alert.is_quiet(now) and row.alert.enabled):
        return None
    if row.tries >= TRIES:
        _settle(row, row.problem or message("No try came back; the log of the worker says why."))
        return None
    row.tries += 1
    row.next_at = now + TAKEN
    row.save(update_fields=["tries", "next_at"])
    return row


def _sent(row: AlertMessage, way: Way, problem: str | None) -> str:
    """The problem of a way; a way that took the message is stored at once, as the next one may
    break down. None: there was nothing to send.
    """
    if problem == "":
        row.done = [*row.done, way]
        row.save(update_fields=["done"])
    return problem or ""


def _settle(row: AlertMessage, problem: str) -> None:
    row.problem = problem
    if not problem:
        row.state, row.sent_at = AlertMessage.State.SENT, timezone.now()
    elif row.tries >= TRIES:
        row.state = AlertMessage.State.FAILED
    else:
        row.next_at = timezone.now() + timedelta(minutes=2 ** (row.tries - 1))
    row.save(update_fields=["problem", "state", "sent_at", "next_at"])


def _mail(row: AlertMessage, content: AlertBody) -> str | None:
    """Send the e-mail, once; the reason why it could not be."""
    if not row.alert.addresses or "mail" in row.done:
        return None
    if not settings.EMAIL_HOST:
        return message("No mail server is set (BENCHLAB_SMTP_URL).")
    try:
        EmailMessage(content.subject, content.text, to=row.alert.addresses).send()
    except (OSError, ValueError) as error:
        return message("E-mail: %(why)s", why=error_message(error))
    return ""


def _hook(row: AlertMessage, content: AlertBody) -> str | None:
    """Ask the web hook, once; the reason why it could not be."""
    if not row.alert.hook or "hook" in row.done:
        return None
    try:
        address, secret = row.alert.hook_told()
        body = BODIES[row.alert.hook](content)
        post(address, body, signature(secret, body))
    except (OSError, WebhookError, SecretUnreadable) as error:
        return message("%(host)s: %(why)s", host=row.alert.hook_host, why=error_message(error))
    return ""


def _link(row: AlertMessage) -> str:
    """The absolute address of the run or view; empty where benchlab does not know its own."""
    base = settings.PUBLIC_URL.rstrip("/")
    if not base:
        return ""
    if row.alert.view:
        return f"{base}{reverse(row.alert.view)}?{row.alert.query}"
    return f"{base}{reverse('run_detail', args=[row.run_id])}" if row.run_id else base
