"""Evaluate alerts for ended runs and hosts, and send due notifications.

Safe to interrupt: an incident is stored with its notification.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.accounts.readers import text_for
from apps.alerts.models import Alert, AlertIncident, AlertNotification
from apps.alerts.selectors.acceptances import detect_acceptances
from apps.alerts.selectors.alerts import alerts_abandoned
from apps.alerts.selectors.approvals import detect_approval, requests_unreported
from apps.alerts.selectors.bookings import detect_bookings
from apps.alerts.selectors.causes import Cause, Detection
from apps.alerts.selectors.detection import detect_hosts, detect_run, touches
from apps.alerts.selectors.ended import ENDED, end_mark, excluded_mail, webhook_has_end
from apps.alerts.services.deliver import notification_send
from apps.alerts.services.notices import notices_create
from apps.common.database.locks import advisory_lock
from apps.runs.models import FINAL_RUN, Run

log = logging.getLogger(__name__)
OVERLAP = timedelta(minutes=5)
"""A run may be stored this long after one that ended later; so long it is remembered as evaluated.
"""
MAX_RUNS = 100
"""Runs of one evaluation."""


def alerts_evaluate() -> None:
    """Evaluate all alerts, then send. A failing alert or notification does not stop the others.

    Abandoned alerts send nothing, also of what ends meanwhile.
    """
    abandoned = alerts_abandoned().values("pk")
    Alert.objects.filter(pk__in=abandoned).update(evaluated_until=timezone.now())
    alerts = Alert.objects.filter(enabled=True).exclude(pk__in=abandoned)
    for alert in alerts.select_related("owner").order_by("pk"):
        try:
            with text_for(alert.owner):
                alert_evaluate(alert)
        except Exception:
            log.exception("alert %s could not be evaluated", alert.pk)
    try:
        notices_create(timezone.now())
    except Exception:
        log.exception("notices could not be created")
    due = AlertNotification.objects.filter(
        state=AlertNotification.State.WAITING, next_at__lte=timezone.now()
    ).exclude(alert__in=abandoned)
    for key in due.values_list("pk", flat=True)[:200]:
        try:
            notification_send(key)
        except Exception:
            log.exception("notification %s could not be sent", key)


def alert_evaluate(alert: Alert) -> None:
    """Evaluate the runs that ended since the last evaluation, oldest first, and the hosts.

    An alert of one run is switched off after its end.
    """
    for run in _ended_runs(alert):
        if touches(alert, run):
            notification_create(alert, detect_run(alert, run), run)
        _mark_evaluated(alert, run)
        if alert.run_id == run.pk:
            Alert.objects.filter(pk=alert.pk).update(enabled=False)
    _evaluate_conditions(alert)


def _evaluate_conditions(alert: Alert) -> None:
    """Evaluate what is no end of a run."""
    now = timezone.now()
    if alert.on_unhealthy:
        notification_create(alert, detect_hosts(alert), None)
    if alert.on_booking_end:
        notification_create(alert, detect_bookings(alert, now), None)
    if alert.on_acceptance:
        notification_create(alert, detect_acceptances(alert, now), None)
    if alert.on_approval:
        for request in requests_unreported(alert)[:MAX_RUNS]:
            notification_create(alert, detect_approval(request), request.run)


def _ended_runs(alert: Alert) -> list[Run]:
    """Return runs that were not evaluated since they ended.

    The end of the alert's own run counts even if it came before the alert was stored.
    """
    rows = Run.objects.filter(state__in=FINAL_RUN, finished_at__isnull=False)
    if alert.run_id:
        rows = rows.filter(pk=alert.run_id)
    else:
        since = alert.evaluated_until - OVERLAP
        rows = rows.filter(finished_at__gt=since, finished_at__gte=alert.created_at)
    if alert.plan_id:
        rows = rows.filter(plan=alert.plan_id)
    if alert.run_team_id:
        rows = rows.filter(team=alert.run_team_id)
    evaluated = set(alert.evaluated_ends)
    ended = rows.select_related("cancel_requested_by").order_by("finished_at", "pk")
    new = [run for run in ended[: MAX_RUNS + len(evaluated)] if end_mark(run) not in evaluated]
    return new[:MAX_RUNS]


def _mark_evaluated(alert: Alert, run: Run) -> None:
    """Record that a run was evaluated; a later run may resolve its incidents."""
    latest = max(alert.evaluated_until, run.finished_at or alert.evaluated_until)
    marks = {*alert.evaluated_ends, end_mark(run)}
    keys = [int(mark.partition("@")[0]) for mark in marks]
    near = Run.objects.filter(pk__in=keys, finished_at__gt=latest - OVERLAP)
    alert.evaluated_until = latest
    alert.evaluated_ends = [mark for mark in map(end_mark, near) if mark in marks]
    alert.save(update_fields=["evaluated_until", "evaluated_ends"])


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
    lines = [line for cause in new for line in cause.lines]
    ended = run is not None and any(cause.key.startswith(ENDED) for cause in new)
    if run is None or not ended:
        return AlertNotification.objects.create(alert=alert, run=run, text_lines=lines)
    is_alone = all(cause.key.startswith(ENDED) or not cause.lines for cause in new)
    return _ended_create(alert, run, lines, is_alone)


def _ended_create(
    alert: Alert, run: Run, lines: list[str], is_alone: bool
) -> AlertNotification | None:
    """Create the notification of an end: one for each recipient, whatever alerts name them.

    `is_alone`: it has no other causes. Return None if no recipient is left.
    """
    row = AlertNotification(
        alert=alert, run=run, text_lines=lines, kind=AlertNotification.Kind.ENDED
    )
    if is_alone:
        advisory_lock(f"alerts.ended:{run.pk}")
        row.excluded_mail = excluded_mail(alert, run)
        row.excludes_webhook = webhook_has_end(alert, run)
    if not row.addresses and not row.has_webhook:
        return None
    row.save()
    return row


def _is_new(alert: Alert, cause: Cause, incident: AlertIncident | None) -> bool:
    """Return True if no notification was sent for the cause.

    A change is new if it began after the alert was created and after the last notified change,
    because each run estimates its begin anew.
    """
    if cause.since is not None:
        return cause.since > (incident.firing_since if incident else alert.created_at)
    return incident is None or incident.resolved_at is not None
