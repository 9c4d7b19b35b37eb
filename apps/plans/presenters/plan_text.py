"""A plan's specification as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from django.utils.translation import gettext as _

from apps.common.schemas.struct_fields import StructField, struct_fields
from apps.plans.domain.param_text import fields_of, format_param
from apps.plans.schemas.advice import Advice
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.targets import PlannedTarget

WITH_SENTENCE = (
    *("repeats", "order", "on_tuning_unavailable"),
    *("load_search_parameter", "load_search_max_hours"),
    *("stopping_rule.precision_percent", "stopping_rule.factor"),
    *("stopping_rule.max_blocks", "stopping_rule.max_hours"),
    *("preconditioning.purge", "preconditioning.sequential_fills"),
    *("preconditioning.random_fills", "preconditioning.max_aging_rounds"),
    "preconditioning.sprandom_over_provisioning",
    "preconditioning.even_if_known",
    *("steady_state.max_rounds", "steady_state.step"),
)
"""Fields that the pages of plans and runs state in sentences of their own."""


def plan_values(spec: PlanSpec) -> dict[str, str]:
    """Return the text of each field that has a value, by label."""
    return {label: text for _name, label, text in _lines(spec, with_defaults=True)}


def plan_lines(spec: PlanSpec) -> list[tuple[str, str]]:
    """Return label and value of each other field that does not have its default."""
    return [(label, text) for name, label, text in _lines(spec) if name not in WITH_SENTENCE]


def _lines(value: msgspec.Struct, *, with_defaults: bool = False) -> Iterator[tuple[str, str, str]]:
    for each in struct_fields(type(value)):
        label, member = _(each.field.label), getattr(value, each.name)
        if isinstance(member, msgspec.Struct):
            for name, inner, text in _lines(member, with_defaults=with_defaults):
                yield f"{each.name}.{name}", f"{label}: {inner}", text
        elif member != each.default or (with_defaults and member not in (None, "")):
            yield each.name, label, _text(each, member)


def _text(each: StructField, member: object) -> str:
    if isinstance(member, bool):
        return _("yes") if member else _("no")
    text = dict(each.choices).get(str(member), str(member))
    return f"{text} {_(each.field.unit)}" if each.field.unit else text


def background_lines(
    step: StepSpec, targets: Mapping[str, PlannedTarget | None]
) -> list[tuple[str, str]]:
    """Return label and text of what makes a step a background load; empty for a measured one.

    `targets`: those of background steps by their text.
    """
    if not step.is_background:
        return []
    target = targets.get(step.target)
    unknown = step.target or _("the target of the measured step")
    return [
        (_("Role of the step"), _("background load")),
        (_("Target"), target.label if target else unknown),
        (_("Settle time"), f"{step.settle_seconds:g} s"),
    ]


def advised_text(advice: Advice, spec: PlanSpec) -> str:
    """Return the advised value as the text of an input; empty to leave the parameter out."""
    if advice.step is None:
        return str(advice.value)
    field = fields_of(spec.steps[advice.step].tool)[advice.field]
    return format_param(field, advice.value)
