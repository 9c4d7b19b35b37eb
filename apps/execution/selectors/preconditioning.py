"""Read the preconditioning state of disks, and which of it is needed."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from apps.execution.domain.preconditioning import NOTHING_LEFT, PreconditioningProgress
from apps.inventory.models import Disk
from apps.inventory.schemas.preconditioning import Acts, PreconditioningOp, PreconditioningState
from apps.remote.job_spec import Fingerprint
from apps.results.selectors.steady_state import case_figures
from apps.runs.models import Attempt, Case, CaseState, Purpose
from apps.stats.steady_state import steady_window


@dataclass(frozen=True)
class DiskInState:
    """A disk that is already in the state that a case would bring it into."""

    host_id: int
    identity: str
    fingerprint: Fingerprint
    preconditioning: PreconditioningState


def resulting_state(attempt: Attempt) -> PreconditioningProgress:
    """Return the state of the disks after a successful preconditioning case; else an empty one.

    Steady aging ends preconditioning early; after all rounds without steady state the state of the
    disks is undefined.
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
    return PreconditioningProgress(
        PreconditioningState(acts[:done], timezone.now(), case.run_id), number - 1
    )


def is_aging(case: Case) -> bool:
    """Return True if the case is a round of aging, which ends a preconditioning."""
    rounds = case.run.spec.preconditioning.max_aging_rounds
    if not rounds or not case.prepares:
        return False
    acts, number = _acts(case)
    return number > len(acts) - rounds


def aging_values(case: Case) -> list[float | None]:
    """Return the latest IOPS of each round of aging up to this case."""
    wanted = preconditioning_cases(case).filter(
        sequence__lte=case.sequence, workload=case.workload_id
    )
    rows = list(wanted)
    figures = case_figures(rows, "iops")
    result = [figures.get(one.pk) for one in rows]
    acts, number = _acts(case)
    first = len(acts) - case.run.spec.preconditioning.max_aging_rounds
    return result[-(number - first) :]


def preparing_cases(run_id: int) -> set[int]:
    """Return the run's pending cases that precondition a disk."""
    rows = Case.objects.filter(run_id=run_id, purpose=Purpose.PRECONDITION, state=CaseState.PENDING)
    return set(rows.values_list("pk", flat=True))


def already_preconditioned(case_id: int) -> list[DiskInState]:
    """Return the disks of a pending preconditioning case if all are in its state; else none."""
    case = Case.objects.select_related("run", "run_target__target").get(pk=case_id)
    if case.state != CaseState.PENDING or case.run.spec.preconditioning.even_if_known:
        return []
    acts, number = _acts(case)
    result = [_known(member.host_id, member.identity) for member in case.members]
    if not all(one and one.preconditioning.has(acts, number) for one in result):
        return []
    return [one for one in result if one]


def _known(host_id: int, identity: str) -> DiskInState | None:
    disk = Disk.objects.filter(host_id=host_id, identity=identity).first()
    if disk is None or disk.preconditioning is None or disk.content_changed or not disk.is_enrolled:
        return None
    if disk.fingerprint is None or not disk.fingerprint["blocks"]:
        return None
    return DiskInState(host_id, identity, disk.fingerprint, disk.preconditioning)


def _acts(case: Case) -> tuple[Acts, int]:
    """Return all steps that precondition the case's target, and the number done with this case."""
    cases = list(preconditioning_cases(case).select_related("workload"))
    acts = tuple(PreconditioningOp(one.tool, one.workload.label, one.workload.key) for one in cases)
    return acts, 1 + [one.pk for one in cases].index(case.pk)


def preconditioning_cases(case: Case) -> QuerySet[Case]:
    """Return all cases that precondition the case's target, in order."""
    rows = Case.objects.filter(
        run_id=case.run_id, run_target=case.run_target_id, purpose=Purpose.PRECONDITION
    )
    return rows.order_by("sequence")
