"""The one order in which values, operations and workloads stand: on pages, in charts, selects,
tables and exports. Numbers by size (16 after 2), words as people count ("node2" before "node10"),
what is not set last, a tool's choices and operations in the tool's own order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from apps.tools.base import Field
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters

from .naming import OPERATIONS

Key = tuple[Any, ...]
"""Any two keys of one function can be compared."""
_DIGITS = re.compile(r"(\d+)", re.ASCII)
_LAST: Key = (2, 0.0, ())


def name_key(text: str) -> Key:
    """Names with numbers by their value: "sdb", "sdc"; "node2", "node10"."""
    pieces = _DIGITS.split(text.casefold())
    return (*((int(p), "") if p.isdecimal() else (-1, p) for p in pieces if p), (-2, text))


def value_key(value: Any) -> Key:
    """A parameter's value: numbers, then words, then what is not set."""
    if value is None:
        return _LAST
    if isinstance(value, int | float):
        return (0, float(value), ())
    return (1, 0.0, name_key(str(value)))


def param_key(tool: str, name: str, value: Any) -> Key:
    """The same, with the values of a choice in the order in which its tool offers them."""
    field = _fields(tool).get(name)
    if field is not None and value in field.choices:
        return (0, float(field.choices.index(value)), ())
    return value_key(value)


def operation_key(tool: str, operation: str) -> Key:
    """An operation in its tool's own order: rados write, seq, rand. What the tool does not know
    stands last.
    """
    plugin = TOOLS.get(tool)
    known = plugin.operations if plugin is not None else ()
    place = known.index(operation) if operation in known else len(known)
    return (place, name_key(operation))


def workload_order(tool: str, params: Parameters, without: str = "") -> Key:
    """A workload among others: by tool, then by each parameter in the order of the tool's form,
    then by what no form has, of which the operation counts first; `without`: a parameter that does
    not count.
    """
    tools, fields = list(TOOLS), [name for name in _fields(tool) if name != without]
    others = params.keys() - {*fields, without}
    rest = sorted((name not in OPERATIONS, name) for name in others)
    return (
        tools.index(tool) if tool in tools else len(tools),
        tuple(param_key(tool, name, params.get(name)) for name in fields),
        tuple((*place, _other_key(tool, place[1], params[place[1]])) for place in rest),
    )


def _other_key(tool: str, name: str, value: Any) -> Key:
    return operation_key(tool, str(value)) if name in OPERATIONS else value_key(value)


def operations_in_order(found: Iterable[tuple[str, str]]) -> list[str]:
    """Operations, each once, out of pairs of tool and operation."""
    tools = list(TOOLS)
    pairs = sorted(set(found), key=lambda p: (*map(tools.index, [p[0]]), operation_key(*p)))
    return list(dict.fromkeys(operation for _tool, operation in pairs))


def names_in_order(names: Iterable[str]) -> list[str]:
    """Names, each once."""
    return sorted(set(names), key=name_key)


def _fields(tool: str) -> Mapping[str, Field]:
    plugin = TOOLS.get(tool)
    return plugin.params.fields() if plugin is not None and plugin.params is not None else {}
