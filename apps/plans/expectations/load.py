"""Problems of plans that look for the largest load at which their expectations hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.plans.cases.planned import PlainPlan, PlannedCase, PlannedStep, Problem
from apps.plans.cases.until import hours_wrong
from apps.plans.expectations.halving import most_added
from apps.tools.params import canonical_key
from apps.tools.registry import load_params

LEAST_POINTS = 2


def saturation_problems(plan: PlainPlan) -> Iterator[Problem]:
    """Sentences where nothing could be looked for."""
    if not plan.saturates:
        return
    if plan.saturates not in load_params():
        yield Problem(_("No tool has a load of this name."), field="saturates")
    elif not any(_searches(step, plan.saturates) for step in plan.steps):
        text = _("List two values of it at least in a step that expects something.")
        yield Problem(text, field="saturates")
    for field, wrong in hours_wrong(plan.saturates_hours).items():
        yield Problem(wrong, field=field)
    if plan.until is not None or plan.rounds:
        text = _("A plan that looks for the largest load has no other rule to go on by.")
        yield Problem(text, field="saturates")


def searched_cases(plan: PlainPlan, cases: Sequence[PlannedCase]) -> Iterator[PlannedCase]:
    """The cases that the searches of a plan add at most, each like the longest of its search."""
    found: dict[tuple[object, ...], list[PlannedCase]] = {}
    for case in cases:
        if case.step is not None and _searches(plan.steps[case.step], plan.saturates):
            rest = {name: value for name, value in case.params.items() if name != plan.saturates}
            key = (case.step, canonical_key(rest), id(case.target), case.tuning.id)
            found.setdefault(key, []).append(case)
    for mine in found.values():
        values = [
            value for case in mine if isinstance(value := case.params.get(plan.saturates), int)
        ]
        longest = max(mine, key=lambda case: case.seconds)
        yield from [longest] * (most_added(values) * plan.repeats)


def _searches(step: PlannedStep, name: str) -> bool:
    values = step.params.get(name)
    return bool(step.expectations) and isinstance(values, list) and len(values) >= LEAST_POINTS
