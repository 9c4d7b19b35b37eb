"""Unique labels of the workloads of one page. Pure functions.

A label has the parameters that its tool always shows, and those that distinguish equal labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.plans.domain.param_text import fields_of, inside, param_label, value_text
from apps.tools import registry
from apps.tools.fields import Part
from apps.tools.registry import TOOLS, words_of_all
from apps.tools.values import Parameters
from apps.tools.workload_naming import joined
from apps.tools.workloads.short import short_parts

K = TypeVar("K", bound=Hashable)
OF_RESULTS = ("unread_options", "group", "job", "call")
"""Known of a result, but no parameter of its test."""


class _Unknown:
    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = _Unknown()
"""Of a parameter that a result does not state, which is not one that is not set."""


@dataclass(frozen=True)
class Labelled:
    """A workload to label. `label`: its label if its tool cannot give one."""

    tool: str
    params: Parameters
    label: str = ""


def parts_of(one: Labelled) -> tuple[Part, ...]:
    """Return the parts of a label by its tool.

    Of an imported workload only known parameters are shown, never defaults.
    """
    parts = short_parts(registry.tool(one.tool), one.params)
    return parts or (Part("", None, one.label),)


def is_buffered(tool: str, params: Parameters) -> bool:
    """Return True if the workload is known to use the page cache."""
    parts = parts_of(Labelled(tool, params))
    return any(part.name == "direct" and part.value is False for part in parts)


def unique_labels(result: Mapping[K, Labelled], without: str = "") -> dict[K, str]:
    """Return a label for each workload, distinct as far as the parameters are.

    `without`: the compared parameter, which no label shows.
    """
    parts = {key: _without(parts_of(one), without) for key, one in result.items()}
    alike: dict[tuple[str, str], list[K]] = defaultdict(list)
    for key, one in result.items():
        alike[one.tool, joined(parts[key], localize_message)].append(key)
    labels = {}
    for (tool, label), keys in alike.items():
        if len(keys) == 1:
            labels[keys[0]] = label
            continue
        rows = {key: result[key].params for key in keys}
        extra = _distinguishing(rows, _by_weight(tool, rows.values(), without))
        # Translated once, not for each of thousands of workloads.
        heads = {name: _head(tool, name) for name in {n for names in extra.values() for n in names}}
        first = Part("", None, label)
        for key, names in extra.items():
            more = (_extra(tool, n, rows[key].get(n, UNKNOWN), heads[n]) for n in names)
            labels[key] = joined([first, *more])
    return {key: labels[key] for key in result}


def _distinguishing(rows: Mapping[K, Parameters], names: Sequence[str]) -> dict[K, list[str]]:
    """Return the parameters that distinguish each of these from all others.

    The fewest of `names`, the first ones first.
    """
    extra: dict[K, list[str]] = {key: [] for key in rows}
    groups = [list(rows)]
    for name in names:
        split: list[list[K]] = []
        for group in groups:
            values: dict[str, list[K]] = defaultdict(list)
            for key in group:
                values[repr(rows[key].get(name, UNKNOWN))].append(key)
            if len(values) > 1:
                for key in group:
                    extra[key].append(name)
            split += values.values()
        groups = [group for group in split if len(group) > 1]
    return extra


def _by_weight(tool: str, rows: Iterable[Parameters], without: str) -> list[str]:
    """Return the parameters in the order of the tool's form, then others, results last."""
    every = dict.fromkeys(name for row in rows for name in row if name != without)
    order = {name: index for index, name in enumerate(fields_of(tool))}
    return sorted(every, key=lambda n: (n in OF_RESULTS, order.get(n, len(order)), n))


def extra_part(tool: str, name: str, value: Any) -> Part:
    """Return the text of a parameter that the tool's own label lacks: "address space 1 GiB"."""
    return _extra(tool, name, value, _head(tool, name))


def _head(tool: str, name: str) -> str:
    return inside(param_label(tool, name))


def _extra(tool: str, name: str, value: Any, head: str) -> Part:
    if value is UNKNOWN:
        return Part(name, None, _("{parameter} unknown").format(parameter=head))
    if value is None and (words := words_of_all(tool, name)):
        return Part(name, value, f"{head} {_(words)}")
    return Part(name, value, f"{head} {value_text(tool, name, value)}")


def _without(parts: tuple[Part, ...], name: str) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.name != name) if name else parts


def with_tool(tool: str, label: str) -> str:
    """Return a workload's label with its tool; a label that contains the tool is unchanged."""
    prefixed = tool not in TOOLS or TOOLS[tool].prefixed
    return label if not prefixed or label.startswith(tool) else f"{tool} {label}"


def names_with_tools(result: Mapping[K, Labelled], without: str = "") -> dict[K, str]:
    """Return distinct labels for a list of workloads of any tools.

    `without`: a parameter that the page shows beside the labels.
    """
    labels = unique_labels(result, without)
    return {key: with_tool(result[key].tool, label) for key, label in labels.items()}
