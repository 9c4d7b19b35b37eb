"""The labels of the workloads that stand on one page: what a tool always says, and what else tells
those apart that would read the same. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from apps.plans.domain.param_text import fields_of, inside, param_label, value_text
from apps.tools import registry
from apps.tools.fields import Part
from apps.tools.registry import TOOLS, words_of_all
from apps.tools.values import Parameters
from apps.tools.workloads.naming import joined
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
    """A workload to be named. `label`: what it is called where nothing is known of it."""

    tool: str
    params: Parameters
    label: str = ""


def parts_of(one: Labelled) -> tuple[Part, ...]:
    """The parts of a label, as its tool says them. Of what somebody else measured only what is
    known is said: never a default that nobody stated.
    """
    said = short_parts(registry.tool(one.tool), one.params)
    return said or (Part("", None, one.label),)


def unique_labels(found: Mapping[K, Labelled], without: str = "") -> dict[K, str]:
    """A label for each, all of them different as far as their parameters are. `without`: the
    parameter that is compared, which no label says.
    """
    parts = {key: _without(parts_of(one), without) for key, one in found.items()}
    alike: dict[tuple[str, str], list[K]] = defaultdict(list)
    for key, one in found.items():
        alike[one.tool, joined(parts[key])].append(key)
    labels = {}
    for (tool, label), keys in alike.items():
        if len(keys) == 1:
            labels[keys[0]] = label
            continue
        rows = {key: found[key].params for key in keys}
        extra = _apart(rows, _by_weight(tool, rows.values(), without))
        # Translated once, not for each of thousands of workloads.
        heads = {name: _head(tool, name) for name in {n for names in extra.values() for n in names}}
        first = Part("", None, label)
        for key, names in extra.items():
            more = (_extra(tool, n, rows[key].get(n, UNKNOWN), heads[n]) for n in names)
            labels[key] = joined([first, *more])
    return {key: labels[key] for key in found}


def _apart(rows: Mapping[K, Parameters], names: Sequence[str]) -> dict[K, list[str]]:
    """The parameters that tell each of these from all others: the fewest of `names`, the first
    ones first.
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
    """The parameters of these tests: in the order of the tool's form, then what no form has, last
    the names and numbers of the results.
    """
    every = dict.fromkeys(name for row in rows for name in row if name != without)
    order = {name: place for place, name in enumerate(fields_of(tool))}
    return sorted(every, key=lambda n: (n in OF_RESULTS, order.get(n, len(order)), n))


def extra_part(tool: str, name: str, value: Any) -> Part:
    """A parameter that the tool's own label does not say: "address space 1 GiB"."""
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
    """A workload's name beside those of other tools. A label that says its tool is enough."""
    prefixed = tool not in TOOLS or TOOLS[tool].prefixed
    return label if not prefixed or label.startswith(tool) else f"{tool} {label}"


def names_with_tools(found: Mapping[K, Labelled]) -> dict[K, str]:
    """A name for each of a list, of whatever tools: no two are the same."""
    return {key: with_tool(found[key].tool, label) for key, label in unique_labels(found).items()}
