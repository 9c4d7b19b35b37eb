"""Built-in plans of the tools: drafts without targets."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from django.utils.translation import gettext as _

from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.schemas.steady_state import SteadyStateRule
from apps.plans.selectors.drafts import PlanDraft
from apps.stats.repeats import RECOMMENDED_REPEATS
from apps.tools.plan_templates import PlanTemplate, TemplateStep
from apps.tools.registry import TOOLS

SECONDS = 300


def templates() -> Iterator[tuple[str, str, PlanTemplate]]:
    """Return (key, tool, template) of every tool."""
    for plugin in TOOLS.values():
        for key, template in plugin.templates.items():
            yield key, plugin.name, template


def template_draft(template: str, *, seconds: int = SECONDS, space: int | None = None) -> PlanDraft:
    """Return the draft of a template. `space`: maximum address space of each test, bytes.

    Raises: PlanError.
    """
    for key, tool, result in templates():
        if key == template:
            return PlanDraft(
                name=_(result.name),
                description=_(result.description),
                spec=PlanSpec(
                    steps=tuple(_step(tool, result, step, seconds, space) for step in result.steps),
                    repeats=result.repeats or RECOMMENDED_REPEATS,
                    preconditioning=msgspec.convert(result.preconditioning, Preconditioning),
                    steady_state=msgspec.convert(result.steady_state, SteadyStateRule),
                ),
            )
    raise PlanError(_("There is no template {}.").format(template), status=404)


def _step(
    tool: str, template: PlanTemplate, step: TemplateStep, seconds: int, space: int | None
) -> StepSpec:
    known = [size for size in (step.space, space) if size]
    params = {
        **step.params,
        template.space: min(known, default=None),
        template.time: template.seconds or seconds,
    }
    return StepSpec(tool, params, step.name)
