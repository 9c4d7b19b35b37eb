"""Checks of plans that measure rounds until steady state."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.plans.schemas.plan import PlanSpec
from apps.plans.schemas.planned import Problem
from apps.plans.schemas.steady_state import MIN_ROUNDS


def steady_state_problems(spec: PlanSpec) -> Iterator[Problem]:
    """Yield a problem for too few rounds and for a step that the plan does not have."""
    rule = spec.steady_state
    if 0 < rule.max_rounds < MIN_ROUNDS:
        text = _("A window has five rounds: 5 at least, or 0 for none.")
        yield Problem(text, field="steady_state.max_rounds")
    if rule and rule.step > len(spec.steps):
        text = _("The plan has no step %(number)d that its rounds could track.")
        yield Problem(text % {"number": rule.step}, field="steady_state.step")
