"""Attempts are opened: their rows and those of their jobs, before any host is asked anything; for
all cases that may begin now in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet, prefetch_related_objects

from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.jobs.spec import attempt_jobs
from apps.execution.services.attempts import AttemptOver
from apps.execution.services.preflight import refusal_reasons
from apps.execution.services.results import attempt_end
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import host_spec
from apps.remote.connection import HostSpec
from apps.remote.errors import HostError
from apps.runs.models import (
    FINAL_ATTEMPT,
    FINAL_CASE,
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    GivenUp,
    Member,
    Run,
    RunEvent,
)
from apps.runs.selectors.runs import SHARED, targets_with_rows
from apps.runs.services.leases import fenced
from apps.runs.services.transitions import cases_transition
from apps.tools.base import ParamsError
from apps.tools.messages import TranslatableMessage, error_message, message

Ways = Mapping[int, HostSpec | HostError]
"""The way to each host, or the reason why it may not be used."""


@dataclass(frozen=True)
class OpenedAttempt:
    """An attempt with its jobs. `is_new`: it was made just now, so no host knows of it; then it may
    be launched unless there is a `refusal`, and `ways` are those of this moment.
    """

    attempt: Attempt
    is_new: bool = False
    refusal: str = ""
    ways: Ways = field(default_factory=dict)


def attempts_create(
    lease: RunLease, case_ids: Sequence[int]
) -> list[OpenedAttempt | Exception | None]:
    """The open attempt of each case, or a new one; what its hosts are asked is fixed here. None
    while a test that was given up may still be at work on a host of the case; AttemptOver for a
    case that was ended before it began.
    """
    with fenced(lease.run_id, lease.fence) as run:
        cases = _cases(run, case_ids)
        blocked = _hosts_at_work(run)
        free = [case for case in cases.values() if not blocked & set(case.host_ids)]
        known, last = _attempts(free)
        wanted = [c for c in free if c.pk not in known and c.state not in FINAL_CASE]
        new = {attempt.case_id: attempt for attempt in _made(run, wanted, last)}
        attempts = [*known.values(), *new.values()]
        prefetch_related_objects(attempts, "jobs__host__credential", "jobs__host__jump__credential")
        begun = [attempt for attempt in new.values() if not attempt.is_final]
        hosts = {job.host_id: job.host for attempt in begun for job in attempt.jobs.all()}
        refusals = refusal_reasons(run, begun, hosts)
        found = {a.case_id: OpenedAttempt(a) for a in known.values()}
        found |= {
            pk: OpenedAttempt(a, not a.is_final, refusals.get(a.pk, ""), _ways(a))
            for pk, a in new.items()
        }
        return [found.get(pk) or _why_not(cases[pk]) for pk in case_ids]


def _why_not(case: Case) -> AttemptOver | None:
    return AttemptOver(case.pk) if case.state in FINAL_CASE else None


def _cases(run: Run, ids: Sequence[int]) -> dict[int, Case]:
    rows: QuerySet[Case] = targets_with_rows(
        run.cases.filter(pk__in=ids).select_related(*SHARED), "run_target__target"
    )
    found = {case.pk: case for case in rows.order_by("position")}
    _members(found.values())
    for case in found.values():
        case.run = run
    return found


def _members(cases: Collection[Case]) -> None:
    """Reads the members of all these cases at once."""
    targets = {case.run_target_id for case in cases}
    members: dict[int, list[Member]] = {}
    for row in Member.objects.filter(run_target__in=targets).order_by("position"):
        members.setdefault(row.run_target_id, []).append(row)
    for case in cases:
        case.run_target.__dict__["all_members"] = tuple(members.get(case.run_target_id, ()))


def _hosts_at_work(run: Run) -> set[int]:
    """Hosts on which a test of this run that was given up may still be at work."""
    unproven = GivenUp.objects.filter(ended_at__isnull=True, attempt__case__run=run)
    return set(unproven.order_by().values_list("host", flat=True))


def _attempts(cases: Sequence[Case]) -> tuple[dict[int, Attempt], dict[int, int]]:
    """By their case: the attempts that are open, and the number of the last one."""
    by_key = {case.pk: case for case in cases}
    found: dict[int, Attempt] = {}
    last: dict[int, int] = {}
    for attempt in Attempt.objects.filter(case__in=list(by_key)).order_by("number"):
        key = attempt.case_id
        last[key] = attempt.number
        if attempt.state not in FINAL_ATTEMPT:
            attempt.case = by_key[key]
            found[key] = attempt
    return found, last


def _made(run: Run, cases: Sequence[Case], last: Mapping[int, int]) -> list[Attempt]:
    """New attempts. They are in preflight at once: from the moment this is stored a host may know
    them, which the next worker must look for.
    """
    if not cases:
        return []
    ids = [case.pk for case in cases]
    attempts = [
        Attempt(case=case, number=last.get(case.pk, 0) + 1, state=AttemptState.PREFLIGHT)
        for case in cases
    ]
    Attempt.objects.bulk_create(attempts)
    cases_transition(Case.objects.filter(pk__in=ids), CaseState.RUNNING)
    for case in cases:
        case.state = CaseState.RUNNING
    RunEvent.objects.bulk_create(
        [RunEvent(run=run, case=case, kind="attempt", text=_opened(case)) for case in cases]
    )
    AttemptJob.objects.bulk_create([job for a in attempts for job in _jobs(run, a)])
    return attempts


def _jobs(run: Run, attempt: Attempt) -> Iterator[AttemptJob]:
    """The jobs that the hosts will be asked for; none where the attempt ends here, as today's tool
    room knows better.
    """
    try:
        yield from attempt_jobs(attempt)
    except ParamsError as error:
        attempt_end(run, attempt, AttemptOutcome(AttemptState.FAILED, error_message(error), "plan"))


def _ways(attempt: Attempt) -> Ways:
    return {job.host_id: _way(job.host) for job in attempt.jobs.all()}


def _way(host: Host) -> HostSpec | HostError:
    if not host.enabled:
        return HostError(
            "unreachable", message("%(host)s is disabled in benchlab.", host=host.name)
        )
    try:
        return host_spec(host)
    except HostError as error:
        return error


def _opened(case: Case) -> TranslatableMessage:
    return message("case %(number)d: %(what)s", number=case.position + 1, what=str(case))
