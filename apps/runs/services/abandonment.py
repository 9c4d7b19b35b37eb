"""Giving up on hosts that do not answer: their tests end without proof, and what they used stays
claimed until the host proves the end or an admin vouches for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.inventory.models import Host
from apps.runs.models import (
    FINAL_CASE,
    Attempt,
    AttemptState,
    Case,
    CaseState,
    Fault,
    GivenUp,
    Run,
    RunState,
)
from apps.runs.selectors.endings import ending_of
from apps.runs.selectors.participation import cases_on_hosts
from apps.runs.selectors.resources import resources_of
from apps.runs.selectors.runs import attempts_open, attempts_read_since, contact_lost_since
from apps.runs.services.leases import claims_release
from apps.runs.services.runs import cases_words, event_record, run_finish
from apps.runs.services.transitions import attempt_transition, case_transition, cases_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

# Before that nothing was asked of a host; after that everything of it is here.
MAY_RUN = (AttemptState.PREFLIGHT, AttemptState.RUNNING, AttemptState.COLLECTING)

# After that an admin may end a test whose output is still being read.
LONG_READING = timedelta(minutes=1)

PROVEN = gettext_noop("%(host)s is back and confirmed that nothing runs there any more")
FREED = gettext_noop("%(who)s freed %(hosts)s: %(why)s")
GAVE_UP = gettext_noop("%(who)s abandoned attempts on %(hosts)s, which did not answer: %(why)s")
ENDED_READING = gettext_noop("%(who)s ended it while its output was parsed: %(why)s")
NOT_BEGUN = gettext_noop(
    "not started: %(who)s abandoned attempts on %(hosts)s, which did not answer"
)


@transaction.atomic
def run_abandon(*, run: Run, user: User, reason: str) -> list[GivenUp]:
    """End every test of a running run whose host does not answer, unproven, and do not begin the
    others that need such a host. A test whose output is being read for too long ends as failed; its
    raw output is stored. Raises ServiceError: admins only, a reason, and such a test.
    """
    _require_admin(user, reason)
    run = Run.objects.select_for_update().get(pk=run.pk)
    silent = silent_attempts(run) if run.state == RunState.RUNNING else []
    unread = unread_attempts(run)
    if not silent and not unread:
        raise ServiceError(
            _("No attempt of this run waits for an unresponsive host; cancel the run instead.")
        )
    rows = [row for attempt in silent for row in _end_unproven(run, attempt, user, reason)]
    for attempt in unread:
        text = message(ENDED_READING, who=user.username, why=reason)
        _end(run, attempt, AttemptState.FAILED, Fault.BENCHLAB, text)
    if silent:
        _not_begun(run, {pk for attempt in silent for pk in silent_hosts(attempt)}, user)
    audit_record(
        user=user,
        action="give up",
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
    """An admin vouches that nothing of the run's given-up tests runs any more: what they used is
    free. Returns how many there were. Raises ServiceError.
    """
    _require_admin(user, reason)
    run = Run.objects.select_for_update().get(pk=run.pk)
    rows = list(given_up_open(run))
    if not rows:
        raise ServiceError(_("No attempt of this run waits for a confirmation of its end."))
    for row in rows:
        _close(row, by=user, reason=reason)
    hosts = sorted({row.host.name for row in rows})
    event_record(
        run,
        "given up",
        message(
            FREED,
            who=user.username,
            hosts=", ".join(hosts),
            why=reason,
        ),
    )
    audit_record(user=user, action="free given up", subject=run, reason=reason, hosts=hosts)
    _release(run)
    runs_touch([run.pk])
    return len(rows)


@transaction.atomic
def given_up_proven(row: GivenUp) -> None:
    """The host was seen again, and nothing of the test runs there any more."""
    run = Run.objects.select_for_update().get(cases__attempts=row.attempt_id)
    row = GivenUp.objects.select_related("host", "attempt__case").get(pk=row.pk)
    if row.ended_at is None:
        _close(row, proven=True)
        text = message(PROVEN, host=row.host.name)
        event_record(run, "given up", text, case=row.attempt.case)
        _release(run)
        runs_touch([run.pk])


def given_up_by_benchlab(run: Run, attempt: Attempt, hosts: Iterable[int], reason: str) -> None:
    """A defect of ours ends an attempt whose hosts could not be reached to end it there. The caller
    holds the run locked.
    """
    _keep(run, attempt, hosts, None, reason)


def given_up_of(run: Run) -> QuerySet[GivenUp]:
    """Every test of the run that was given up, host by host."""
    rows = GivenUp.objects.filter(attempt__case__run=run)
    return rows.select_related("host", "attempt__case", "given_up_by", "ended_by")


def given_up_open(run: Run) -> QuerySet[GivenUp]:
    """Those whose end nobody has proved yet."""
    return given_up_of(run).filter(ended_at__isnull=True)


def silent_attempts(run: Run) -> list[Attempt]:
    """The run's attempts of which nothing is known because a host does not answer."""
    rows = attempts_open(run).filter(state__in=MAY_RUN)
    return [attempt for attempt in rows if contact_lost_since(attempt)]


def unread_attempts(run: Run) -> list[Attempt]:
    """The run's attempts whose output is here and has been read for too long."""
    if run.state != RunState.RUNNING:
        return []
    return list(attempts_read_since(run, timezone.now() - LONG_READING))


def silent_hosts(attempt: Attempt) -> list[int]:
    """The hosts that do not answer, as far as anybody knows which."""
    return list(attempt.silent_hosts) or attempt.case.host_ids


def silent_names(attempts: Iterable[Attempt]) -> list[str]:
    """The names of the hosts that these attempts wait for."""
    return list(_names({pk for attempt in attempts for pk in silent_hosts(attempt)}))


def waited_for(run: Run) -> list[tuple[str, datetime]]:
    """The hosts that a running run waits for in vain, each with since when; none for others."""
    if run.state != RunState.RUNNING:
        return []
    since: dict[int, datetime] = {}
    for attempt in silent_attempts(run):
        lost = contact_lost_since(attempt)
        if lost is not None:
            since |= {pk: min(lost, since.get(pk, lost)) for pk in silent_hosts(attempt)}
    rows = Host.objects.filter(pk__in=since).order_by("name") if since else []
    return [(host.name, since[host.pk]) for host in rows]


def _require_admin(user: User, reason: str) -> None:
    if not user.is_admin:
        raise ServiceError(_("Only an admin may end an attempt without confirmation."), status=403)
    if not reason.strip():
        said = _("Say why: it stands in the audit record.")
        raise ServiceError(said, {"reason": said}, status=400)


def _end_unproven(run: Run, attempt: Attempt, user: User, reason: str) -> list[GivenUp]:
    names = ", ".join(_names(silent_hosts(attempt)))
    text = message(GAVE_UP, who=user.username, hosts=names, why=reason)
    _end(run, attempt, AttemptState.UNPROVEN, Fault.HOST, text)
    return _keep(run, attempt, attempt.case.host_ids, user, reason)


def _end(run: Run, attempt: Attempt, state: AttemptState, fault: Fault, text: str) -> None:
    """End an attempt and its case in this state, with the reason."""
    attempt_transition(
        attempt,
        state,
        reason=text,
        fault=fault,
        ended_at=attempt.ended_at or timezone.now(),
        contact_lost_since=None,
        valid=False,
    )
    case = attempt.case
    case_transition(case, CaseState(state.value), reason=text, fault=fault)
    event_record(
        run,
        "given up",
        message("case %(number)d: %(what)s", number=case.position + 1, what=text),
        case=case,
    )


def _keep(
    run: Run, attempt: Attempt, hosts: Iterable[int], user: User | None, reason: str
) -> list[GivenUp]:
    """A row for each host, with those of the run's claims that the test may use there."""
    held = set(run.claims.filter(released_at=None).values_list("resource", flat=True))
    rows = []
    for pk in hosts:
        kept = sorted(held & _used_on(run, attempt.case, pk))
        row = GivenUp(attempt=attempt, host_id=pk, resources=kept, reason=reason)
        row.given_up_by = user
        row.save()
        rows.append(row)
    return rows


def _used_on(run: Run, case: Case, host_id: int) -> set[str]:
    """Resources a case may use on one of its hosts, and what it shares with none of them in
    particular, as a pool.
    """
    own = [member for member in case.members if member.host_id == host_id]
    shared = {
        name
        for name in resources_of(run, case.members)
        if not name.startswith(("host:", "machine:", "disk:"))
    }
    return shared | set(resources_of(run, own))


def _not_begun(run: Run, hosts: set[int], user: User) -> None:
    names = ", ".join(_names(hosts))
    rest = run.cases.filter(cases_on_hosts(hosts), state=CaseState.PENDING)
    text = message(NOT_BEGUN, who=user.username, hosts=names)
    count = cases_transition(rest, CaseState.FAILED, reason=text, fault=Fault.HOST)
    if count:
        event_record(
            run, "given up", message("%(cases)s %(why)s", cases=cases_words(count), why=text)
        )


def _close(row: GivenUp, *, by: User | None = None, reason: str = "", proven: bool = False) -> None:
    row.ended_at, row.proven, row.ended_by, row.ended_reason = timezone.now(), proven, by, reason
    row.save(update_fields=["ended_at", "proven", "ended_by", "ended_reason"])


def _release(run: Run) -> None:
    """Free what only given-up tests held; a run that still runs keeps all it has."""
    if run.state != RunState.RUNNING:
        claims_release(run)
        transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))


def _names(hosts: Iterable[int]) -> Sequence[str]:
    return list(Host.objects.filter(pk__in=hosts).order_by("name").values_list("name", flat=True))
