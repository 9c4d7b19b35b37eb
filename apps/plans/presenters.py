"""A plan's specification as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from django.utils.translation import gettext as _

from apps.common.schemas.struct_fields import StructField, struct_fields
from apps.plans.schemas.plan import PlanSpec

WITH_SENTENCE = (
    *("repeats", "order", "on_tuning_unavailable", "stopping_rule", "load_search_parameter"),
    *("load_search_max_hours", "preconditioning", "steady_state"),
)
"""Fields that the pages of plans and runs state in sentences of their own."""


def plan_lines(spec: PlanSpec) -> list[tuple[str, str]]:
    """Return label and value of each other field that does not have its default."""
    return [line for line, name in _lines(spec) if name not in WITH_SENTENCE]


def _lines(value: msgspec.Struct) -> Iterator[tuple[tuple[str, str], str]]:
    for each in struct_fields(type(value)):
        member = getattr(value, each.name)
        if isinstance(member, msgspec.Struct):
            yield from ((line, each.name) for line, _name in _lines(member))
        elif member != each.default:
            yield (_(each.field.label), _text(each, member)), each.name


def _text(each: StructField, member: object) -> str:
    if isinstance(member, bool):
        return _("yes") if member else _("no")
    text = dict(each.choices).get(str(member), str(member))
    return f"{text} {_(each.field.unit)}" if each.field.unit else text
