"""The labels of the workloads that stand on one page: what a tool always says, and what else tells
those apart that would read the same. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from apps.plans.form.written import fields_of, inside, param_label, value_text
from apps.tools.base import ParamsError, Part
from apps.tools.registry import size_params
from apps.tools.values import Parameters
from apps.tools.workloads.naming import OPERATIONS, joined, known_parts
from apps.tools.workloads.varying import differing

from .fitting import runnable

K = TypeVar("K", bound=Hashable)
MOST_MORE = 4
"""Parameters added to a label, at most."""


@dataclass(frozen=True)
class Labelled:
    """A workload to be named. `label`: what it is called where nothing is known of it."""

    tool: str
    params: Parameters
    label: str = ""


@dataclass(frozen=True)
class _Known:
    """The origin of a label's parts: the room as it is now, and the parameters as text, which
    tells 1 from 1.0 and true."""

    room: object
    tool: str
    label: str
    text: str
    params: Parameters = field(compare=False)


def parts_of(one: Labelled) -> tuple[Part, ...]:
    """The parts of a label, as its tool says them. Of what somebody else measured only what is
    known is said: never a default that nobody told.
    """
    # A page of a run names the same workloads at every turn of its live parts.
    return _parts(_Known(runnable(one.tool), one.tool, one.label, repr(one.params), one.params))


@lru_cache(maxsize=8_192)
def _parts(one: _Known) -> tuple[Part, ...]:
    fields = fields_of(one.tool)
    known = {name: value for name, value in one.params.items() if name in fields}
    others = {name: value for name, value in one.params.items() if name not in fields}
    later = _later(one.tool)
    own = [p for p in _own_parts(one.tool, known) if p.name in known or p.name in later]
    if own and own[0].name == next(iter(fields)):
        return (*own, *known_parts(others, size_params(one.tool)))
    order = [*OPERATIONS, *fields]
    names = sorted(one.params, key=lambda n: (order.index(n) if n in order else len(order), n))
    ordered = {name: one.params[name] for name in names}
    said = tuple(known_parts(ordered, size_params(one.tool)))
    return said or (Part("", None, one.label),)


def _own_parts(tool: str, known: Parameters) -> tuple[Part, ...]:
    room = runnable(tool)
    try:
        return room.params.from_raw(known).parts() if room and room.params else ()
    except ParamsError:
        return ()  # a test that benchlab itself would not run


def _later(tool: str) -> Parameters:
    room = runnable(tool)
    later: Parameters = getattr(room.params, "later", {}) if room else {}
    return later


def told_apart(found: Mapping[K, Labelled], without: str = "") -> dict[K, str]:
    """A label for each, all of them different as far as their parameters are. `without`: the
    parameter that is compared, which no label says.
    """
    parts = {key: _without(parts_of(one), without) for key, one in found.items()}
    alike: dict[tuple[str, str], list[K]] = defaultdict(list)
    for key, one in found.items():
        alike[one.tool, joined(parts[key])].append(key)
    labels = {}
    for (tool, label), keys in alike.items():
        said = {part.name for key in keys for part in parts[key]}
        more = differing([found[key].params for key in keys], {without, *said})
        # Translated once, not for each of thousands of workloads.
        heads = {name: _head(tool, name) for name in _first_of(tool, more)}
        first = Part("", None, label)
        for key in keys:
            params = found[key].params
            extra = [_extra(tool, name, params.get(name), head) for name, head in heads.items()]
            labels[key] = joined([first, *extra])
    return labels


def extra_part(tool: str, name: str, value: Any) -> Part:
    """A parameter that the tool's own label does not say: "address space 1 GiB"."""
    return _extra(tool, name, value, _head(tool, name))


def _head(tool: str, name: str) -> str:
    return inside(param_label(tool, name))


def _extra(tool: str, name: str, value: Any, head: str) -> Part:
    return Part(name, value, f"{head} {value_text(tool, name, value)}")


def _first_of(tool: str, names: Sequence[str]) -> list[str]:
    """So many of them as a label may have, in the order of the tool's form."""
    if not names:
        return []
    order = {name: place for place, name in enumerate(fields_of(tool))}
    return sorted(names, key=lambda name: (order.get(name, len(order)), name))[:MOST_MORE]


def _without(parts: tuple[Part, ...], name: str) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.name != name) if name else parts


def with_tool(tool: str, label: str) -> str:
    """A workload's name beside those of other tools; a label that says its tool is enough."""
    return label if label.startswith(tool) else f"{tool} {label}"
