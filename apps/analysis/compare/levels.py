"""The levels of a factor, and which repeats are repeats of the same thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.compare.question import Question
from apps.analysis.compare.repeats import Point, Repeat
from apps.plans.form.written import param_label, value_text
from apps.tools.base import JSON
from apps.tools.order import Key, param_key, value_key
from apps.tools.params import canonical_key
from apps.tools.registry import TOOLS
from apps.tools.varying import differing, varying
from apps.tuning.order import tuning_key

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
    """The levels among these repeats. The baseline is the one asked for, else "As found", else a
    name that says "before", else the first in order (numbers by size).
    """
    of = _level_function(repeats, question)
    order = {of(repeat): _order(repeat, question) for repeat in repeats}
    labels = sorted(order, key=lambda label: (order[label], tuning_key(label)))
    first = [question.baseline] if question.baseline in order else labels[:1]
    return Levels((*first, *(label for label in labels if label not in first)), of)


def with_param(repeats: Sequence[Repeat], name: str) -> list[Repeat]:
    """Those whose workloads have this parameter: another tool's have none, and of what others
    measured it may not be known. All of them without a name."""
    return [r for r in repeats if not name or name in r.point.params or name in _later(r.point)]


def _later(point: Point) -> JSON:
    """What a workload of which every parameter is known leaves out, as its tool did not always have
    it, with its value."""
    room = TOOLS.get(point.tool)
    if room is None or room.params is None:
        return {}
    needed = {name for name, field in room.params.fields().items() if not field.optional}
    return room.params.later if needed - room.params.later.keys() <= point.params.keys() else {}


def params_that_vary(repeats: Iterable[Repeat]) -> dict[str, str]:
    """The parameters that could be a factor, since workloads differ in them: name to label."""
    points = {repeat.point.key: repeat.point for repeat in repeats}.values()
    found = differing((point.params for point in points), said_only=True)
    return {
        name: next(param_label(point.tool, name) for point in points if name in point.params)
        for name in found
    }


def swept_params(repeats: Iterable[Repeat]) -> dict[str, bool]:
    """The parameters in which workloads differ that are otherwise equal, and whether they are
    numbers; numbers come first, the one with most values before the others.
    """
    points = {repeat.point.key: repeat.point for repeat in repeats}.values()
    found = varying((point.tool, point.params) for point in points)
    names = sorted(found, key=lambda name: (not found[name].is_number, -len(found[name].values)))
    return {name: found[name].is_number for name in names}


def workload_key_of(point: Point, question: Question) -> str:
    """What workloads match on: their key, or where a parameter is compared the rest of them."""
    if not question.param:
        return point.key
    return _key_without(point, question.param)


def _key_without(point: Point, name: str) -> str:
    rest = {key: value for key, value in point.params.items() if key != name}
    return canonical_key({"tool": point.tool, "params": rest})


def where(repeat: Repeat, factor: str) -> str:
    """The host, target and tuning of a repeat, as far as the factor leaves them alone."""
    here = repeat.conditions
    parts = {
        "tuning": (here.host_name, here.target),
        "host": (here.properties["tuning"],),
        "disk": (here.properties["tuning"],),
        "target": (here.properties["tuning"],),
    }
    both = (here.host_name, here.target, here.properties["tuning"])
    return " · ".join(part for part in parts.get(factor, both) if part)


def _level_function(repeats: Sequence[Repeat], question: Question) -> LevelOf:
    if question.param:
        return lambda repeat: _param_level(repeat, question.param)
    if question.factor == "host":
        return lambda repeat: repeat.conditions.host_name
    if question.factor == "run":
        return lambda repeat: _("Run {number}").format(number=repeat.run)
    if question.factor in ("target", "disk"):
        return lambda repeat: repeat.conditions.target_label
    return _tuning_function(repeats)


def _param_level(repeat: Repeat, name: str) -> str:
    tool = repeat.point.tool
    return f"{param_label(tool, name)} {value_text(tool, name, _value(repeat.point, name))}"


def _value(point: Point, name: str) -> object:
    return point.params.get(name, _later(point).get(name))


def _tuning_function(repeats: Sequence[Repeat]) -> LevelOf:
    """A tuning is its name; one that was changed between runs is told apart by its settings."""
    found = {(r.conditions.tuning_name, r.conditions.tuning_text) for r in repeats}
    names = Counter(name for name, _settings in found)

    def of(repeat: Repeat) -> str:
        here = repeat.conditions
        return here.properties["tuning"] if names[here.tuning_name] > 1 else here.tuning_name

    return of


def _order(repeat: Repeat, question: Question) -> Key:
    if question.factor == "run":
        return value_key(repeat.run)
    if question.param:
        point = repeat.point
        return param_key(point.tool, question.param, _value(point, question.param))
    return ()
