"""Sort order of values, operations and workloads on pages, in charts, selects, tables and exports.

Numbers sort by size (16 after 2), names naturally ("node2" before "node10"), unset values last.
Choices and operations have the order of their tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from apps.tools.added_params import BACKGROUND
from apps.tools.background import NONE
from apps.tools.fields import Field
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters
from apps.tools.workload_naming import OPERATIONS

Key = tuple[Any, ...]
"""Sort key; keys of one function are comparable with each other."""
_DIGITS = re.compile(r"(\d+)", re.ASCII)
MAX_DIGITS = 1_000
_UNSET: Key = (2, 0.0, ())


def name_key(text: str) -> Key:
    """Return the key of a name, with numbers by value: "sdb", "sdc"; "node2", "node10"."""
    parts = _DIGITS.split(text.casefold())
    return (*((int(p), "") if _is_short_number(p) else (-1, p) for p in parts if p), (-2, text))


def _is_short_number(text: str) -> bool:
    """Return True for digits that `int` accepts; foreign results may have thousands of them."""
    return text.isdecimal() and len(text) <= MAX_DIGITS


def value_key(value: Any) -> Key:
    """Return the key of a parameter's value: numbers, then texts, then unset."""
    if value is None:
        return _UNSET
    if isinstance(value, int | float):
        return (0, float(value), ())
    return (1, 0.0, name_key(str(value)))


def param_key(tool: str, name: str, value: Any) -> Key:
    """Return the key of a parameter's value, with choices in the tool's order."""
    if name == BACKGROUND and value == NONE:
        return (0, 0.0, ())
    return _field_key(_fields(tool).get(name), value)


def _field_key(field: Field | None, value: Any) -> Key:
    if field is not None and value in field.choices:
        return (0, float(field.choices.index(value)), ())
    return value_key(value)


def operation_key(tool: str, operation: str) -> Key:
    """Return the key of an operation in its tool's order: rados write, seq, rand.

    Operations that the tool does not have are last.
    """
    plugin = TOOLS.get(tool)
    operations = plugin.operations if plugin is not None else ()
    index = operations.index(operation) if operation in operations else len(operations)
    return (index, name_key(operation))


def workload_order(tool: str, params: Parameters, without: str = "") -> Key:
    """Return the key of a workload.

    Workloads sort by tool, then by each parameter in the order of the tool's form, then by
    parameters without a form field, the operation first. `without`: a parameter to ignore.
    """
    tools = list(TOOLS)
    fields = {name: field for name, field in _fields(tool).items() if name != without}
    others = params.keys() - {*fields, without}
    rest = sorted((name not in OPERATIONS, name) for name in others)
    return (
        tools.index(tool) if tool in tools else len(tools),
        tuple(_field_key(field, params.get(name)) for name, field in fields.items()),
        tuple((*rank, _other_key(tool, rank[1], params[rank[1]])) for rank in rest),
    )


def _other_key(tool: str, name: str, value: Any) -> Key:
    return operation_key(tool, str(value)) if name in OPERATIONS else value_key(value)


def operations_in_order(operations: Iterable[tuple[str, str]]) -> list[str]:
    """Return the distinct operations of pairs of tool and operation."""
    tools = list(TOOLS)
    pairs = sorted(set(operations), key=lambda p: (*map(tools.index, [p[0]]), operation_key(*p)))
    return list(dict.fromkeys(operation for _tool, operation in pairs))


def names_in_order(names: Iterable[str]) -> list[str]:
    """Return the distinct names in order."""
    return sorted(set(names), key=name_key)


def _fields(tool: str) -> Mapping[str, Field]:
    plugin = TOOLS.get(tool)
    return plugin.params.fields() if plugin is not None and plugin.params is not None else {}
