"""Create attempts and their jobs, before any host is contacted.

One transaction for all cases that start now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet, prefetch_related_objects
from django.utils import timezone

from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.jobs.spec import attempt_jobs
from apps.execution.services.attempt_end import attempt_end
from apps.execution.services.attempts import AttemptOver, RunHeld
from apps.execution.services.preflight import refusal_reasons
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import host_spec
from apps.plans.domain.workload_labels import Labelled, parts_of
from apps.remote.connection import HostSpec
from apps.remote.errors import HostError
from apps.runs.models import (
    FINAL_ATTEMPT,
    FINAL_CASE,
    AbandonedAttempt,
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    Run,
    RunEvent,
    RunTargetMember,
)
from apps.runs.selectors.admission import pause_reason
from apps.runs.selectors.runs import SHARED, targets_with_rows
from apps.runs.services.leases import fenced
from apps.runs.services.transitions import cases_transition
from apps.tools.errors import ParamsError
from apps.tools.messages import TranslatableMessage, error_message, join_messages, message
from apps.tools.workload_naming import joined_message
from apps.tuning.domain.baseline import tuning_message

Connections = Mapping[int, HostSpec | HostError]
"""Connection data by host id, or the error if a host may not be used."""


@dataclass(frozen=True)
class OpenedAttempt:
    """An attempt with its jobs.

    `is_new`: just created, so no host knows it. Then `refusal` is the reason why it may not start,
    and `connections` are current.
    """

    attempt: Attempt
    is_new: bool = False
    refusal: str = ""
    connections: Connections = field(default_factory=dict)


def attempts_create(
    lease: RunLease, case_ids: Sequence[int]
) -> list[OpenedAttempt | Exception | None]:
    """Return the open attempt of each case, or a new one with its job specifications.

    None while an abandoned attempt may still run on a host of the case; AttemptOver for a case
    that was ended before its start; RunHeld for a case that would reach into a booking of others or
    a maintenance window.
    """
    with fenced(lease.run_id, lease.fence) as run:
        cases = _cases(run, case_ids)
        blocked = _hosts_at_work(run)
        free = [case for case in cases.values() if not blocked & set(case.host_ids)]
        known, last = _attempts(free)
        wanted = [c for c in free if c.pk not in known and c.state not in FINAL_CASE]
        held = _held(run, wanted)
        new = {a.case_id: a for a in _made(run, [] if held else wanted, last)}
        attempts = [*known.values(), *new.values()]
        prefetch_related_objects(attempts, "jobs__host__credential", "jobs__host__jump__credential")
        begun = [attempt for attempt in new.values() if not attempt.is_final]
        hosts = {job.host_id: job.host for attempt in begun for job in attempt.jobs.all()}
        refusals = refusal_reasons(run, begun, hosts)
        result = {a.case_id: OpenedAttempt(a) for a in known.values()}
        result |= {
            pk: OpenedAttempt(a, not a.is_final, refusals.get(a.pk, ""), _connections(a))
            for pk, a in new.items()
        }
        waiting = {case.pk for case in wanted} if held else set()
        return [
            result.get(pk) or (RunHeld(held) if pk in waiting else _why_not(cases[pk]))
            for pk in case_ids
        ]


def _held(run: Run, cases: Sequence[Case]) -> str:
    """Return why the run starts none of these cases now; a cancelled run ends them itself."""
    return "" if run.cancel_requested_at else pause_reason(run, cases, timezone.now())


def _why_not(case: Case) -> AttemptOver | None:
    return AttemptOver(case.pk) if case.state in FINAL_CASE else None


def _cases(run: Run, ids: Sequence[int]) -> dict[int, Case]:
    rows: QuerySet[Case] = targets_with_rows(
        run.cases.filter(pk__in=ids).select_related(*SHARED, "background__run_target"),
        "run_target__target",
    )
    result = {case.pk: case for case in rows.order_by("sequence")}
    _members(result.values())
    for case in result.values():
        case.run = run
    return result


def _members(cases: Collection[Case]) -> None:
    """Load the members of all these cases with one query."""
    loaded = [case.background_target for case in cases]
    targets = {case.run_target_id for case in cases} | {one.pk for one in loaded if one}
    members: dict[int, list[RunTargetMember]] = {}
    for row in RunTargetMember.objects.filter(run_target__in=targets).order_by("position"):
        members.setdefault(row.run_target_id, []).append(row)
    for target in (*(case.run_target for case in cases), *(one for one in loaded if one)):
        target.__dict__["all_members"] = tuple(members.get(target.pk, ()))


def _hosts_at_work(run: Run) -> set[int]:
    """Return hosts on which an abandoned attempt of this run may still run."""
    unconfirmed = AbandonedAttempt.objects.filter(ended_at__isnull=True, attempt__case__run=run)
    return set(unconfirmed.order_by().values_list("host", flat=True))


def _attempts(cases: Sequence[Case]) -> tuple[dict[int, Attempt], dict[int, int]]:
    """Return by case id the open attempts, and the number of the last attempt."""
    by_key = {case.pk: case for case in cases}
    result: dict[int, Attempt] = {}
    last: dict[int, int] = {}
    for attempt in Attempt.objects.filter(case__in=list(by_key)).order_by("number"):
        key = attempt.case_id
        last[key] = attempt.number
        if attempt.state not in FINAL_ATTEMPT:
            attempt.case = by_key[key]
            result[key] = attempt
    return result, last


def _made(run: Run, cases: Sequence[Case], last: Mapping[int, int]) -> list[Attempt]:
    """Create attempts in state preflight: once stored, a host may know them.

    Another worker that takes over then queries the hosts.
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
    """Return the jobs of an attempt; end the attempt if the plugin rejects its parameters."""
    try:
        yield from attempt_jobs(attempt)
    except ParamsError as error:
        attempt_end(run, attempt, AttemptOutcome(AttemptState.FAILED, error_message(error), "plan"))


def _connections(attempt: Attempt) -> Connections:
    return {job.host_id: _connection(job.host) for job in attempt.jobs.all()}


def _connection(host: Host) -> HostSpec | HostError:
    if not host.enabled:
        return HostError(
            "unreachable", message("%(host)s is disabled in benchlab.", host=host.name)
        )
    try:
        return host_spec(host)
    except HostError as error:
        return error


def _opened(case: Case) -> TranslatableMessage:
    workload = joined_message(parts_of(Labelled(case.tool, case.params, case.workload.label)))
    what = join_messages(
        workload, tuning_message(case.tuning_name), str(case.repeat), between=" · "
    )
    return message("case %(number)d: %(what)s", number=case.sequence + 1, what=what)
