"""Problems of plans that search the largest load that meets their expectations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.plans.domain.bisection import max_added
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Problem
from apps.tools.params import canonical_key
from apps.tools.registry import load_params

MIN_POINTS = 2
PARAMETER = "load_search_parameter"


def saturation_problems(plan: PlannedPlan) -> Iterator[Problem]:
    """Yield problems of a search that cannot work."""
    parameter = plan.spec.load_search_parameter
    if not parameter:
        return
    if parameter not in load_params():
        yield Problem(_("No tool has a load of this name."), field=PARAMETER)
    elif not any(_searches(step, parameter) for step in plan.spec.steps):
        text = _("List two values of it at least in a step that expects something.")
        yield Problem(text, field=PARAMETER)
    if plan.spec.stopping_rule is not None or plan.spec.steady_state:
        text = _("A plan that looks for the largest load has no other rule to go on by.")
        yield Problem(text, field=PARAMETER)


def searched_cases(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[PlannedCase]:
    """Return the cases that the searches may add at most, each like the longest of its search."""
    parameter = plan.spec.load_search_parameter
    result: dict[tuple[object, ...], list[PlannedCase]] = {}
    for case in cases:
        if case.step is not None and _searches(plan.spec.steps[case.step], parameter):
            rest = {name: value for name, value in case.params.items() if name != parameter}
            key = (case.step, canonical_key(rest), id(case.target), case.tuning.id)
            result.setdefault(key, []).append(case)
    for mine in result.values():
        values = [value for case in mine if isinstance(value := case.params.get(parameter), int)]
        longest = max(mine, key=lambda case: case.seconds)
        yield from [longest] * (max_added(values) * plan.spec.planned_repeats)


def _searches(step: StepSpec, name: str) -> bool:
    values = step.params.get(name)
    return bool(step.expectations) and isinstance(values, list) and len(values) >= MIN_POINTS
