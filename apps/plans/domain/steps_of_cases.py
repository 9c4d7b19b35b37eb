"""The step of a plan that a case measures, and the advice on it. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from apps.plans.domain.expand import step_params
from apps.plans.schemas.advice import AdviceNote
from apps.plans.schemas.plan import StepSpec
from apps.tools.errors import ParamsError
from apps.tools.values import Parameters


def steps_of_case(
    steps: Sequence[StepSpec], *, tool: str, name: str, params: Parameters
) -> list[int]:
    """Return the indexes of the steps that a case with these parameters may belong to.

    The points of steps with one tool and name decide between them. A load search adds points that
    no step lists; such a case belongs to each of these steps.
    """
    alike = [at for at, step in enumerate(steps) if (step.tool, step.name) == (tool, name)]
    if len(alike) < 2:
        return alike
    return [at for at in alike if _has_point(steps[at], params)] or alike


def _has_point(step: StepSpec, params: Parameters) -> bool:
    try:
        return any(point.canonical() == params for point in step_params(step))
    except ParamsError:
        return False


def advice_of_steps(notes: Sequence[AdviceNote], steps: Sequence[int]) -> list[AdviceNote]:
    """Return the advice on these steps."""
    return [note for note in notes if note.step in steps]
