"""The levels of a factor, and which repeats are repeats of the same thing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.compare.question import Question
from apps.compare.repeats import Point, Repeat
from apps.plans.data import AS_FOUND
from apps.tools.params import canonical_key, format_size
from apps.tools.registry import TOOLS

LevelOf = Callable[[Repeat], str]
Place = tuple[str, str, str]
"""(workload key, operation, where): what is one row of a comparison."""


@dataclass(frozen=True)
class Levels:
    """Labels of the factor's levels, the baseline first; `of` gives a repeat's."""

    labels: tuple[str, ...]
    of: LevelOf

    @property
    def baseline(self) -> str:
        return self.labels[0] if self.labels else ""


def levels_of(repeats: Sequence[Repeat], question: Question) -> Levels:
    """The levels among these repeats. The baseline is the one asked for, else "As found", else
    the first in order (numbers by size).
    """
    of = _level_function(repeats, question)
    order = {of(repeat): _order(repeat, question) for repeat in repeats}
    labels = sorted(order, key=lambda label: (order[label], label))
    usual = [label for label in labels if label == AS_FOUND.name]
    first = [question.baseline] if question.baseline in order else usual or labels[:1]
    return Levels((*first, *(label for label in labels if label not in first)), of)


def params_that_vary(repeats: Iterable[Repeat]) -> list[str]:
    """Names of the parameters that could be a factor: workloads differ in them."""
    seen: dict[str, set[str]] = defaultdict(set)
    points = {repeat.point.key: repeat.point for repeat in repeats}.values()
    for point in points:
        for name, value in point.params.items():
            seen[name].add(str(value))
    return [name for name, values in seen.items() if len(values) > 1]


def value_text(tool: str, name: str, value: Any) -> str:
    """A parameter's value with its unit, as its tool means it: "4 KiB", "30 s", "64"."""
    room = TOOLS.get(tool)
    field = room.params.fields().get(name) if room and room.params else None
    if value is None:
        return _("not set")
    if field is not None and field.kind == "size":
        return format_size(value)
    return f"{value} s" if field is not None and field.kind == "duration" else str(value)


def workload_key_of(point: Point, question: Question) -> str:
    """What workloads match on: their key, or where a parameter is compared the rest of them."""
    if not question.param:
        return point.key
    rest = {name: value for name, value in point.params.items() if name != question.param}
    return canonical_key({"tool": point.tool, "params": rest})


def where(repeat: Repeat, factor: str) -> str:
    """The host, target and tuning of a repeat, as far as the factor leaves them alone."""
    here = repeat.conditions
    parts = {
        "tuning": (here.host_name, here.target),
        "host": (here.properties["tuning"],),
        "disk": (here.properties["tuning"],),
    }
    both = (here.host_name, here.target, here.properties["tuning"])
    return " · ".join(parts.get(factor, both))


def common_label(labels: Sequence[str]) -> str:
    """What labels of workloads have in common: "randread 4 KiB, 1 job" of two depths."""
    parts = [label.split(", ") for label in dict.fromkeys(labels)]
    if len(parts) < 2 or len({len(row) for row in parts}) > 1:
        return labels[0]
    shared = [_common_words(list(column)) for column in zip(*parts, strict=True)]
    return ", ".join(part for part in shared if part) or labels[0]


def _common_words(texts: list[str]) -> str:
    if len(set(texts)) == 1:
        return texts[0]
    rows = [text.split(" ") for text in texts]
    kept = []
    for column in zip(*rows, strict=False):
        if len(set(column)) > 1:
            break
        kept.append(column[0])
    # "depth" without its number says nothing; "randread" without its block size does.
    return (
        " ".join(kept) if re.match(r"(rand)?(read|write|rw|trim)", kept[0] if kept else "") else ""
    )


def _level_function(repeats: Sequence[Repeat], question: Question) -> LevelOf:
    if question.param:
        return lambda repeat: _param_level(repeat, question.param)
    if question.factor == "host":
        return lambda repeat: repeat.conditions.host_name
    if question.factor == "run":
        return lambda repeat: _("Run {number}").format(number=repeat.run)
    if question.factor == "disk":
        return lambda repeat: repeat.conditions.properties["target"]
    return _tuning_function(repeats)


def _param_level(repeat: Repeat, name: str) -> str:
    point = repeat.point
    return f"{name} {value_text(point.tool, name, point.params.get(name))}"


def _tuning_function(repeats: Sequence[Repeat]) -> LevelOf:
    """A tuning is its name; one that was changed between runs is told apart by its settings."""
    found = {(r.conditions.tuning_name, r.conditions.tuning_text) for r in repeats}
    names = Counter(name for name, _settings in found)

    def of(repeat: Repeat) -> str:
        here = repeat.conditions
        return here.properties["tuning"] if names[here.tuning_name] > 1 else here.tuning_name

    return of


def _order(repeat: Repeat, question: Question) -> tuple[float, str]:
    if question.factor == "run":
        return (float(repeat.run), "")
    if question.param:
        value = repeat.point.params.get(question.param)
        if isinstance(value, int | float):
            return (float(value), "")
    return (float("inf"), "")
