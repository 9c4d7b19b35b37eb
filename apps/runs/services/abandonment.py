"""Abandon attempts on unresponsive hosts.

An abandoned attempt ends as *unconfirmed*. Its claims stay until the host confirms the end or an
admin releases them.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.runs.models import (
    FINAL_CASE,
    AbandonedAttempt,
    Attempt,
    AttemptState,
    Case,
    CaseState,
    FailureCause,
    Run,
    RunState,
)
from apps.runs.selectors.endings import ending_of
from apps.runs.selectors.participation import cases_using_hosts
from apps.runs.selectors.resources import resources_of
from apps.runs.selectors.unresponsive_hosts import (
    abandoned_open,
    host_names,
    parsing_attempts,
    unresponsive_attempts,
    unresponsive_hosts,
)
from apps.runs.services.leases import claims_release
from apps.runs.services.runs import cases_words, event_record, run_finish
from apps.runs.services.transitions import attempt_transition, case_transition, cases_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

CONFIRMED = gettext_noop("%(host)s is back and confirmed that nothing runs there any more")
RELEASED = gettext_noop("%(who)s freed %(hosts)s: %(why)s")
ABANDONED = gettext_noop("%(who)s abandoned attempts on %(hosts)s, which did not answer: %(why)s")
ENDED_PARSING = gettext_noop("%(who)s ended it while its output was parsed: %(why)s")
NOT_STARTED = gettext_noop(
    "not started: %(who)s abandoned attempts on %(hosts)s, which did not answer"
)


@transaction.atomic
def run_abandon(*, run: Run, user: User, reason: str) -> list[AbandonedAttempt]:
    """Abandon the attempts of a running run on unresponsive hosts; fail its pending cases there.

    An attempt that is parsed for over a minute ends as failed; its raw output is stored.

    Raises:
        ServiceError: for non-admins, without a reason, or if there is no such attempt.
    """
    _require_admin(user, reason)
    run = Run.objects.select_for_update().get(pk=run.pk)
    unresponsive = unresponsive_attempts(run) if run.state == RunState.RUNNING else []
    parsing = parsing_attempts(run)
    if not unresponsive and not parsing:
        raise ServiceError(
            _("No attempt of this run waits for an unresponsive host; cancel the run instead.")
        )
    rows = [row for attempt in unresponsive for row in _end_unconfirmed(run, attempt, user, reason)]
    for attempt in parsing:
        text = message(ENDED_PARSING, who=user.username, why=reason)
        _end(run, attempt, AttemptState.FAILED, FailureCause.BENCHLAB, text)
    if unresponsive:
        _skip_pending(
            run, {pk for attempt in unresponsive for pk in unresponsive_hosts(attempt)}, user
        )
    audit_record(
        user=user,
        action="abandon",
        subject=run,
        reason=reason,
        hosts=[row.host.name for row in rows],
    )
    if not run.cases.exclude(state__in=FINAL_CASE).exists():
        run_finish(run, *ending_of(run))
    runs_touch([run.pk])
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return rows


@transaction.atomic
def abandoned_release(*, run: Run, user: User, reason: str) -> int:
    """Release the claims of the run's abandoned attempts; return the number of rows.

    Raises:
        ServiceError: for non-admins, without a reason, or if there are none.
    """
    _require_admin(user, reason)
    run = Run.objects.select_for_update().get(pk=run.pk)
    rows = list(abandoned_open(run))
    if not rows:
        raise ServiceError(_("No attempt of this run waits for a confirmation of its end."))
    for row in rows:
        _close(row, by=user, reason=reason)
    hosts = sorted({row.host.name for row in rows})
    event_record(
        run,
        "abandoned",
        message(
            RELEASED,
            who=user.username,
            hosts=", ".join(hosts),
            why=reason,
        ),
    )
    audit_record(user=user, action="release", subject=run, reason=reason, hosts=hosts)
    _release(run)
    runs_touch([run.pk])
    return len(rows)


@transaction.atomic
def abandoned_confirm(row: AbandonedAttempt) -> None:
    """Store that the host confirmed the end of an abandoned attempt; release its claims."""
    run = Run.objects.select_for_update().get(cases__attempts=row.attempt_id)
    row = AbandonedAttempt.objects.select_related("host", "attempt__case").get(pk=row.pk)
    if row.ended_at is None:
        _close(row, confirmed=True)
        text = message(CONFIRMED, host=row.host.name)
        event_record(run, "abandoned", text, case=row.attempt.case)
        _release(run)
        runs_touch([run.pk])


def abandoned_by_benchlab(run: Run, attempt: Attempt, hosts: Iterable[int], reason: str) -> None:
    """Record an attempt that benchlab ended on unreachable hosts. The caller locks the run."""
    _record(run, attempt, hosts, None, reason)


def _require_admin(user: User, reason: str) -> None:
    if not user.is_admin:
        raise ServiceError(_("Only an admin may end an attempt without confirmation."), status=403)
    if not reason.strip():
        text = _("Enter a reason. It is recorded in the audit log.")
        raise ServiceError(text, {"reason": text}, status=400)


def _end_unconfirmed(run: Run, attempt: Attempt, user: User, reason: str) -> list[AbandonedAttempt]:
    names = ", ".join(host_names(unresponsive_hosts(attempt)))
    text = message(ABANDONED, who=user.username, hosts=names, why=reason)
    _end(run, attempt, AttemptState.UNCONFIRMED, FailureCause.HOST, text)
    return _record(run, attempt, attempt.case.host_ids, user, reason)


def _end(
    run: Run, attempt: Attempt, state: AttemptState, failure_cause: FailureCause, text: str
) -> None:
    """End an attempt and its case in this state, with the reason."""
    attempt_transition(
        attempt,
        state,
        reason=text,
        failure_cause=failure_cause,
        ended_at=attempt.ended_at or timezone.now(),
        contact_lost_since=None,
        valid=False,
    )
    case = attempt.case
    case_transition(case, CaseState(state.value), reason=text, failure_cause=failure_cause)
    event_record(
        run,
        "abandoned",
        message("case %(number)d: %(what)s", number=case.sequence + 1, what=text),
        case=case,
    )


def _record(
    run: Run, attempt: Attempt, hosts: Iterable[int], user: User | None, reason: str
) -> list[AbandonedAttempt]:
    """Create a row per host with the claims that the attempt may use there."""
    claimed = set(run.claims.filter(released_at=None).values_list("resource", flat=True))
    rows = []
    for pk in hosts:
        resources = sorted(claimed & _used_on(run, attempt.case, pk))
        row = AbandonedAttempt(attempt=attempt, host_id=pk, resources=resources, reason=reason)
        row.abandoned_by = user
        row.save()
        rows.append(row)
    return rows


def _used_on(run: Run, case: Case, host_id: int) -> set[str]:
    """Return the resources that a case may use on a host, with those of no host, such as pools."""
    own = [member for member in case.every_member if member.host_id == host_id]
    shared = {
        name
        for name in resources_of(run, list(case.every_member))
        if not name.startswith(("host:", "machine:", "disk:"))
    }
    return shared | set(resources_of(run, own))


def _skip_pending(run: Run, hosts: set[int], user: User) -> None:
    names = ", ".join(host_names(hosts))
    rest = run.cases.filter(cases_using_hosts(hosts), state=CaseState.PENDING)
    text = message(NOT_STARTED, who=user.username, hosts=names)
    count = cases_transition(rest, CaseState.FAILED, reason=text, failure_cause=FailureCause.HOST)
    if count:
        event_record(
            run, "abandoned", message("%(cases)s %(why)s", cases=cases_words(count), why=text)
        )


def _close(
    row: AbandonedAttempt, *, by: User | None = None, reason: str = "", confirmed: bool = False
) -> None:
    row.ended_at, row.confirmed, row.ended_by, row.confirmation_note = (
        timezone.now(),
        confirmed,
        by,
        reason,
    )
    row.save(update_fields=["ended_at", "confirmed", "ended_by", "confirmation_note"])


def _release(run: Run) -> None:
    """Release the claims of an ended run."""
    if run.state != RunState.RUNNING:
        claims_release(run)
        transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
