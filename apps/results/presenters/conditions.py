"""Conditions of a case: every parameter of its workload."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from apps.plans.domain.param_text import defaults, fields_of, param_label, value_text
from apps.plans.models import Workload
from apps.tools.registry import TOOLS, words_of_all
from apps.tools.values import Parameters
from apps.tools.workload_naming import BESIDE_KEY


class ConditionKind(StrEnum):
    """Relation of a parameter's value to the tool's default, in the order of the page.

    Parameters that an imported workload does not state are `UNKNOWN`.
    """

    SET = "set"
    UNKNOWN = "unknown"
    DEFAULT = "default"


@dataclass(frozen=True)
class Condition:
    """One parameter of a workload as text. `name`: as the tool has it."""

    name: str
    label: str
    text: str
    kind: ConditionKind


def conditions_of_workload(workload: Workload, *, is_imported: bool) -> list[Condition]:
    """Return the parameters that are set, then those unknown, then those at their default."""
    order = list(ConditionKind)
    result = _conditions(workload.tool, workload.params, is_imported=is_imported)
    return sorted(result, key=lambda one: order.index(one.kind))


def _conditions(tool: str, params: Parameters, *, is_imported: bool) -> Iterator[Condition]:
    fields, usual = fields_of(tool), defaults(tool)
    may_be_unknown = is_imported and not _is_complete(tool, params)
    for name, field in fields.items():
        if name in params:
            kind = ConditionKind.DEFAULT if params[name] == usual.get(name) else ConditionKind.SET
            yield _condition(tool, name, params, kind)
        elif field.advanced:
            continue
        elif may_be_unknown:
            yield Condition(name, param_label(tool, name), _("unknown"), ConditionKind.UNKNOWN)
        elif name in usual:
            yield _condition(tool, name, {name: usual[name]}, ConditionKind.DEFAULT)
    for name in params:
        if name not in fields and name != BESIDE_KEY:
            yield _condition(tool, name, params, ConditionKind.SET)


def _is_complete(tool: str, params: Parameters) -> bool:
    """Return True if the parameters have each that a plan's workload of the tool has."""
    plugin = TOOLS.get(tool)
    if plugin is None or plugin.params is None:
        return False
    needed = {name for name, field in fields_of(tool).items() if not field.optional}
    return needed - plugin.params.later.keys() <= params.keys()


def _condition(tool: str, name: str, params: Parameters, kind: ConditionKind) -> Condition:
    value = params[name]
    all_words = words_of_all(tool, name) if value is None else ""
    label = param_label(tool, name)
    if label == name:
        label = name.replace("_", " ")
    return Condition(
        name, label, _(all_words) if all_words else value_text(tool, name, value), kind
    )
