"""Preparations of disks: the state a case left its disks in, whether it is needed, and the tests
behind one that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from apps.execution.attempt.contents import NOTHING_LEFT, Left
from apps.execution.domain.lease import RunLease
from apps.inventory.models import Disk
from apps.inventory.schemas.preconditioning import Acts, PreconditioningOp, PreconditioningState
from apps.remote.job_spec import Fingerprint
from apps.results.selectors.steady_state import case_figures
from apps.runs.models import Attempt, Case, CaseState, Purpose, Run
from apps.runs.services.leases import fenced
from apps.runs.services.runs import event_record
from apps.runs.services.transitions import cases_transition
from apps.stats.steady_state import steady_window
from apps.tools.messages import message


@dataclass(frozen=True)
class DiskInState:
    """A disk of a case that is known to be in the state that the case would bring it into."""

    host_id: int
    identity: str
    fingerprint: Fingerprint
    preconditioning: PreconditioningState


def left_by(attempt: Attempt) -> Left:
    """The state in which a preparation that succeeded leaves its disks; nothing for another case.

    Rounds of aging that are steady are as good as all that were planned; all of them without being
    steady are no state that anybody could rely on.
    """
    case = attempt.case
    if not case.prepares:
        return NOTHING_LEFT
    acts, number = _acts(case)
    done = number
    if is_aging(case):
        steady = steady_window([aging_values(case)]) is not None
        done = len(acts) if steady else number
        if not steady and number == len(acts):
            return NOTHING_LEFT
    return Left(PreconditioningState(acts[:done], timezone.now(), case.run_id), number - 1)


def is_aging(case: Case) -> bool:
    """Whether it is a round of aging: they are the last acts of a preparation."""
    rounds = case.run.spec.preconditioning.max_aging_rounds
    if not rounds or not case.prepares:
        return False
    acts, number = _acts(case)
    return number > len(acts) - rounds


def aging_values(case: Case) -> list[float | None]:
    """Operations a second of the rounds of aging up to this one, as they were done last."""
    wanted = _preparations(case).filter(position__lte=case.position, workload=case.workload_id)
    rows = list(wanted)
    figures = case_figures(rows, "iops")
    found = [figures.get(one.pk) for one in rows]
    acts, number = _acts(case)
    first = len(acts) - case.run.spec.preconditioning.max_aging_rounds
    return found[-(number - first) :]


def aging_decide(run: Run, case: Case) -> None:
    """Leave the rest of the rounds out when the last five are steady; say how it ended."""
    if not is_aging(case):
        return
    values = aging_values(case)
    rest = _preparations(case).filter(position__gt=case.position)
    target = case.target_words
    last = steady_window([values])
    if last is not None:
        why = message("steady after round %(number)d", number=last)
        cases_transition(rest, CaseState.SKIPPED, reason=why)
    elif rest.filter(state=CaseState.PENDING).exists():
        return
    else:
        why = message("not steady in %(number)d rounds", number=len(values))
    said = message("aging of %(target)s: %(what)s", target=target, what=why)
    event_record(run, "rule", said, case=case)


def unprepared_close(run: Run, case: Case) -> None:
    """A disk could not be prepared: nothing else of the run is tried on this target."""
    rest = run.cases.filter(run_target=case.run_target_id, state=CaseState.PENDING)
    why = message("the disk could not be prepared: %(why)s", why=case.reason)
    if case.state == CaseState.CANCELLED:
        cases_transition(rest, CaseState.CANCELLED, reason=case.reason)
    else:
        cases_transition(rest, CaseState.FAILED, reason=why, fault=case.fault)


def preparing_cases(run_id: int) -> set[int]:
    """The run's open cases that prepare a disk."""
    rows = Case.objects.filter(run_id=run_id, purpose=Purpose.PREPARE, state=CaseState.PENDING)
    return set(rows.values_list("pk", flat=True))


def disks_known(case_id: int) -> list[DiskInState]:
    """The disks of a case that waits to prepare them, if all are known to be so; else none."""
    case = Case.objects.select_related("run", "run_target__target").get(pk=case_id)
    if case.state != CaseState.PENDING or case.run.spec.preconditioning.even_if_known:
        return []
    acts, number = _acts(case)
    found = [_known(member.host_id, member.identity) for member in case.members]
    if not all(one and one.preconditioning.has(acts, number) for one in found):
        return []
    return [one for one in found if one]


def case_skip(lease: RunLease, case_id: int, known: Sequence[DiskInState]) -> None:
    """The case need not be run: its disks are as it would leave them."""
    since = min(one.preconditioning.at for one in known)
    runs = ", ".join(f"#{pk}" for pk in sorted({one.preconditioning.run for one in known}))
    why = message(
        "the disk is known to be in this state since %(when)s UTC, by run %(runs)s; samples of it "
        "were compared",
        when=f"{since:%Y-%m-%d %H:%M}",
        runs=runs,
    )
    with fenced(lease.run_id, lease.fence) as run:
        if cases_transition(run.cases.filter(pk=case_id), CaseState.SKIPPED, reason=why):
            case = run.cases.get(pk=case_id)
            number = case.position + 1
            text = message("case %(number)d is not needed: %(why)s", number=number, why=why)
            event_record(run, "case", text, case=case)


def _known(host_id: int, identity: str) -> DiskInState | None:
    disk = Disk.objects.filter(host_id=host_id, identity=identity).first()
    if disk is None or disk.preconditioning is None or disk.content_changed or not disk.is_enrolled:
        return None
    if disk.fingerprint is None or not disk.fingerprint["blocks"]:
        return None
    return DiskInState(host_id, identity, disk.fingerprint, disk.preconditioning)


def _acts(case: Case) -> tuple[Acts, int]:
    """Everything that prepares the case's target, and how much of it that is with this case."""
    cases = list(_preparations(case).select_related("workload"))
    acts = tuple(PreconditioningOp(one.tool, one.workload.label, one.workload.key) for one in cases)
    return acts, 1 + [one.pk for one in cases].index(case.pk)


def _preparations(case: Case) -> QuerySet[Case]:
    """Everything that prepares the case's target, in its order."""
    rows = Case.objects.filter(
        run_id=case.run_id, run_target=case.run_target_id, purpose=Purpose.PREPARE
    )
    return rows.order_by("position")
