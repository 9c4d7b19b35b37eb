"""Parameters as text in forms, and back. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.common.domain.typed_text import narrow
from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.plan import StepSpec
from apps.tools.added_params import BACKGROUND
from apps.tools.background import NONE, background_text
from apps.tools.fields import Field
from apps.tools.param_values import format_size, read_field
from apps.tools.sweep import sweep

# One of several values: the parameter left out.
UNSET = "not set"
_SHORT = {"B": "", "KiB": "k", "MiB": "M", "GiB": "G", "TiB": "T", "PiB": "P"}


def format_param(field: Field, value: Any) -> str:
    """Return a raw value, or a sweep's list, as the text of an input: [4096, "1M"] is "4k, 1M"."""
    if isinstance(value, (list, tuple)):
        joint = "; " if field.holds_commas else ", "
        return joint.join(UNSET if one is None else format_param(field, one) for one in value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if field.kind == "size" and isinstance(value, int):
        number, unit = format_size(value).split(" ")
        return number + _SHORT[unit]
    return str(value)


def parse_param(field: Field, text: str) -> Any:
    """Return the value of an input's text: a list for several values, None for none."""
    text = (text if field.kind == "text" else narrow(text)).strip()
    mark = ";" if field.holds_commas else ","
    if mark in text:
        pieces = [piece.strip() for piece in text.split(mark) if piece.strip()]
        return [None if field.optional and piece == UNSET else piece for piece in pieces]
    return text or (None if field.optional else "")


def as_choices(value: Any) -> list[str]:
    """Return a raw choice or flag, or a sweep's list, as the selected options of a select."""
    if value is None:
        return []
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, (list, tuple)):
        return [option for one in value for option in as_choices(one)]
    return [piece.strip() for piece in str(value).split(",")]


def from_choices(chosen: Sequence[str]) -> Any:
    """Return the value of a select: one value, or a list for a sweep."""
    if not chosen:
        return None
    return chosen[0] if len(chosen) == 1 else list(chosen)


def defaults(tool: str) -> Mapping[str, Any]:
    """Return a tool's default parameters; empty for a tool that plans cannot use."""
    plugin = runnable_tool(tool)
    if plugin is None or plugin.params is None:
        return {}
    try:
        unset = plugin.params.from_raw({})
    except ValueError:
        return {}
    known = unset.canonical()
    # Parameters added after a tool's first release are in its canonical form only if they are set.
    return {name: known.get(name, getattr(unset, name, None)) for name in plugin.params.fields()}


def fields_of(tool: str) -> Mapping[str, Field]:
    """Return a tool's parameters; empty for a tool that plans cannot use."""
    plugin = runnable_tool(tool)
    return plugin.params.fields() if plugin and plugin.params else {}


def param_label(tool: str, name: str) -> str:
    """Return a parameter's label, e.g. "Queue depth"; its name if the tool does not have it."""
    if name == BACKGROUND:
        return _("Background load")
    field = fields_of(tool).get(name)
    return _(field.label) if field is not None else name


def inside(label: str) -> str:
    """Return a label within a sentence: "run time", but "I/O engine" and "CPUs"."""
    return label if label[1:2] in "/" or label[1:2].isupper() else label[:1].lower() + label[1:]


def value_text(tool: str, name: str, value: Any) -> str:
    """Return a parameter's value with its unit: "4 KiB", "30 s", "64"."""
    if name == BACKGROUND:
        return _("none") if value in (None, NONE) else background_text(value)
    field = fields_of(tool).get(name)
    if value is None:
        return _("not set")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if field is not None and field.kind == "size" and isinstance(value, int):
        return format_size(value)
    return f"{value} {_unit(field)}".strip() if field is not None else str(value)


def settled(step: StepSpec) -> list[tuple[Field, str]]:
    """Return the step's parameters that differ from their default, as entered."""
    usual, fields = defaults(step.tool), fields_of(step.tool)
    rows = []
    for name, field in fields.items():
        if name in step.params and _differs(field, name, step.params, usual):
            rows.append((field, format_param(field, step.params[name]) or _absent(field)))
    return rows


def _absent(field: Field) -> str:
    return _(field.empty_label) if field.empty_label else "–"


def _differs(field: Field, name: str, params: Mapping[str, Any], usual: Mapping[str, Any]) -> bool:
    """Compare parsed values, so that "1G" equals 1073741824."""
    return _read(field, params[name]) != _read(field, usual.get(name))


def _read(field: Field, value: Any) -> list[Any]:
    values = [point["it"] for point in sweep({"it": value}, {"it": field})] if value else [value]
    try:
        return [read_field(field, one) for one in values]
    except ValueError:
        return values


def _unit(field: Field) -> str:
    return _(field.unit) if field.unit else ""
