"""A worker's writes about a run as a whole, and about the cases it will not try."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.preparing import preparing_cases
from apps.execution.services import attempt_end
from apps.results.services.summary_table import figures_refresh
from apps.runs.models import (
    FINAL_ATTEMPT,
    Attempt,
    AttemptState,
    Case,
    CaseState,
    Fault,
    Purpose,
    Run,
    RunState,
)
from apps.runs.selectors.endings import ending_of
from apps.runs.selectors.participation import cases_on_hosts, hosts_of_targets
from apps.runs.services.abandonment import given_up_by_benchlab
from apps.runs.services.leases import fenced
from apps.runs.services.runs import cases_words, event_record, run_finish
from apps.runs.services.stopping_rules import Asked, next_stored, rules_of
from apps.runs.services.transitions import cases_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message


def run_give_up(lease: RunLease, reason: str, unproven: Collection[int] = ()) -> None:
    """A defect of ours stops this run again and again: say so and end it, rather than for ever. On
    the `unproven` hosts its tests could not be ended: what they use there stays claimed.
    """
    with fenced(lease.run_id, lease.fence) as run:
        for case in run.cases.filter(state=CaseState.RUNNING):
            for attempt in case.attempts.exclude(state__in=FINAL_ATTEMPT):
                given_up_by_benchlab(run, attempt, set(case.host_ids) & set(unproven), reason)
                attempt_end(
                    run, attempt, AttemptOutcome(AttemptState.FAILED, reason, Fault.BENCHLAB)
                )
        rest = run.cases.filter(state__in=[CaseState.PENDING, CaseState.RUNNING])
        cases_transition(rest, CaseState.FAILED, reason=reason, fault=Fault.BENCHLAB)
        run_finish(run, RunState.FAILED, reason)
        runs_touch([run.pk])


def cases_give_up(lease: RunLease, host_id: int, reason: str) -> None:
    """A host that cannot be used ends the rest of its cases at once instead of one time-out
    each.
    """
    with fenced(lease.run_id, lease.fence) as run:
        rest = run.cases.filter(cases_on_hosts([host_id]), state=CaseState.PENDING)
        count = cases_transition(rest, CaseState.FAILED, reason=reason, fault=Fault.HOST)
        if count:
            told = message("%(cases)s not tried: %(why)s", cases=cases_words(count), why=reason)
            event_record(run, "host", told)


def run_close(lease: RunLease) -> str:
    """End a run none of whose cases is left to do. Returns its final state."""
    with fenced(lease.run_id, lease.fence) as run:
        states = set(run.cases.values_list("state", flat=True))
        open_states = {CaseState.PENDING, CaseState.RUNNING} & states
        if open_states and run.cancel_requested_at is None:
            return run.state
        run_finish(run, *ending_of(run))
        runs_touch([run.pk])
        return run.state


@dataclass(frozen=True)
class RunWork:
    """A run's open `cases` in their order, each with the ids of its hosts; those of them that
    prepare disks, and whether more cases may follow.
    """

    cases: list[tuple[int, list[int]]]
    preparing: set[int]
    more_may_follow: bool


def run_work(run_id: int) -> RunWork:
    """All that is asked about a run before its first case begins."""
    more_may_follow = bool(rules_of(Run.objects.get(pk=run_id)))
    return RunWork(cases_to_do(run_id), preparing_cases(run_id), more_may_follow)


def run_go_on(lease: RunLease, asked: Asked) -> bool:
    """Store what the run's rules answered; whether there are cases to do."""
    with fenced(lease.run_id, lease.fence) as run:
        more = next_stored(run, asked)
        settling = run.cases.filter(purpose=Purpose.SETTLE)
        figures_refresh(settling.values_list("pk", flat=True))
        runs_touch([run.pk])
        return more


def hosts_of_run(run_id: int) -> list[int]:
    """Every host on which the run had anything to do."""
    return sorted({host for hosts in hosts_of_targets(run_id).values() for host in hosts})


def cases_to_do(run_id: int) -> list[tuple[int, list[int]]]:
    """The run's open cases in their order, each with the ids of its hosts."""
    rows = Case.objects.filter(run_id=run_id, state__in=[CaseState.PENDING, CaseState.RUNNING])
    hosts = hosts_of_targets(run_id)
    wanted = rows.order_by("position").values_list("pk", "run_target_id")
    return [(pk, hosts[target]) for pk, target in wanted]


def case_is_open(case_id: int) -> bool:
    """Whether something of the case may be running on its host, so that even a cancelled run must
    look after it.
    """
    return Case.objects.filter(pk=case_id, state=CaseState.RUNNING).exists()


def case_end_unproven(lease: RunLease, case_id: int, reason: str) -> None:
    """A host answers what cannot be, or does not hand its files over. Unless it said before that
    its test has ended nobody can say so now: what that uses stays claimed until the end is proven.
    """
    with fenced(lease.run_id, lease.fence) as run:
        attempts = Attempt.objects.filter(case=case_id).exclude(state__in=FINAL_ATTEMPT)
        for attempt in attempts.select_related("case"):
            state = AttemptState.FAILED
            if attempt.state not in (AttemptState.COLLECTING, AttemptState.PARSING):
                given_up_by_benchlab(run, attempt, attempt.case.host_ids, reason)
                state = AttemptState.UNPROVEN
            attempt_end(run, attempt, AttemptOutcome(state, reason, Fault.HOST))
        runs_touch([run.pk])
