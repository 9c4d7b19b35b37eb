"""Advice that was not taken at the launch, as far as it concerns the step of a case."""

from __future__ import annotations

from apps.plans.domain.steps_of_cases import advice_of_steps, steps_of_case
from apps.plans.schemas.advice import AdviceNote
from apps.runs.models import Case, Purpose


def case_advice(case: Case) -> list[AdviceNote]:
    """Return the advice on the case's step; empty for preconditioning."""
    notes = case.run.advice_not_taken
    if not notes or case.purpose == Purpose.PRECONDITION:
        return []
    workload = case.workload
    steps = steps_of_case(
        case.run.spec.steps, tool=workload.tool, name=case.step_name, params=workload.params
    )
    return advice_of_steps(notes, steps)
