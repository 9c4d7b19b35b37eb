"""The end of a run as a cause: state, duration, verdict, missed expectations, failures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.alerts.domain.receivers import recipient_of
from apps.alerts.models import Alert, AlertNotification
from apps.alerts.selectors.causes import Cause
from apps.analysis.report.run_verdict import verdict_of
from apps.common.database.encryption import SecretUnreadable
from apps.common.domain.messages import localize_message
from apps.common.domain.value_format import format_value
from apps.runs.models import Run, RunState
from apps.runs.presenters.case_rows import failure_rows

ENDED = "ended:"
"""Prefix of the keys of incidents; the run and its end follow, as a retried run ends again."""
MAX_MISSED = 5


def end_mark(run: Run) -> str:
    """Return a text that identifies this end of a run."""
    return f"{run.pk}@{run.finished_at.timestamp() if run.finished_at else 0}"


def ended_cause(alert: Alert, run: Run, missed: Sequence[str]) -> Cause | None:
    """Return the end of a run as a cause; None if the alert does not want it.

    `missed`: subjects of missed expectations. An imported run does not end. The user who cancelled
    a run gets no message about it.
    """
    if run.state not in alert.on_ended or run.is_imported or _cancelled_by_owner(alert, run):
        return None
    verdict = verdict_of(run)
    is_bad = run.state in (RunState.FAILED, RunState.LOST)
    if alert.only_worse and not (is_bad or missed or verdict.is_worse):
        return None
    more = (*verdict.lines, *_missed_lines(missed), *_failure_lines(run))
    return Cause(f"{ENDED}{end_mark(run)}", _end_text(run), more=more)


def _cancelled_by_owner(alert: Alert, run: Run) -> bool:
    is_cancelled = run.state == RunState.CANCELLED and run.cancel_requested_by_id is not None
    return is_cancelled and alert.team_id is None and run.cancel_requested_by_id == alert.owner_id


def _end_text(run: Run) -> str:
    state, reason = run.get_state_display(), localize_message(run.reason)
    if run.started_at is None or run.finished_at is None:
        text = _("{run}: {state} before it started.").format(run=run, state=state)
    else:
        duration = format_value((run.finished_at - run.started_at).total_seconds(), "s")
        template = _("{run}: {state} after {duration}.")
        text = template.format(run=run, state=state, duration=duration)
    return f"{text} {reason}" if reason else text


def _missed_lines(missed: Sequence[str]) -> Iterator[str]:
    for subject in missed[:MAX_MISSED]:
        yield _("Expectation missed: {subject}").format(subject=subject)
    if left := len(missed[MAX_MISSED:]):
        text = ngettext("{n} more expectation missed", "{n} more expectations missed", left)
        yield text.format(n=left)


def _failure_lines(run: Run) -> Iterator[str]:
    """Yield the most frequent failures with the side that can fix them."""
    for reason, cause, _advice, number in failure_rows(run):
        text = ngettext("{n} case failed", "{n} cases failed", number).format(n=number)
        side = f" ({cause})" if cause else ""
        yield f"{text}{side}: {localize_message(reason) or '–'}"


def excluded_mail(alert: Alert, run: Run) -> list[str]:
    """Return the addresses that have this end from another alert, or cancelled the run."""
    excluded = set()
    for other in _others(alert, run):
        excluded |= {address.casefold() for address in other.addresses}
    if run.state == RunState.CANCELLED and run.cancel_requested_by:
        excluded.add(run.cancel_requested_by.email.casefold())
    return [address for address in alert.addresses if address.casefold() in excluded]


def webhook_has_end(alert: Alert, run: Run) -> bool:
    """Return True if the address of the alert's webhook has this end from another alert."""
    if not alert.webhook:
        return False
    addresses = {
        _address(other.alert) for other in _others(alert, run) if other.alert and other.has_webhook
    }
    return _address(alert) in addresses - {""}


def _address(alert: Alert) -> str:
    """Return the address of the webhook in one spelling; empty if no key decrypts it."""
    try:
        return recipient_of(alert.webhook_credentials()[0])
    except SecretUnreadable:
        return ""


def _others(alert: Alert, run: Run) -> Iterator[AlertNotification]:
    """Yield the notifications of other alerts about this end of the run."""
    rows = AlertNotification.objects.filter(run=run, kind=AlertNotification.Kind.ENDED)
    if run.finished_at is not None:  # a retried run ends again
        rows = rows.filter(created_at__gte=run.finished_at)
    yield from rows.exclude(alert=alert).select_related("alert")
