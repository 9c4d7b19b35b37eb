"""The levels of a factor, and which repeats are repeats of the same thing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.compare.question import Question
from apps.compare.repeats import Point, Repeat
from apps.plans.data import AS_FOUND
from apps.plans.written import param_label, value_text
from apps.tools.params import canonical_key

LevelOf = Callable[[Repeat], str]
BEFORE = re.compile(r"\bbefore\b", re.IGNORECASE)
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
    labels = sorted(order, key=lambda label: (order[label], label))
    usual = [label for label in labels if label == AS_FOUND.name] or [
        label for label in labels if BEFORE.search(label)
    ]
    first = [question.baseline] if question.baseline in order else usual or labels[:1]
    return Levels((*first, *(label for label in labels if label not in first)), of)


def params_that_vary(repeats: Iterable[Repeat]) -> dict[str, str]:
    """The parameters that could be a factor, since workloads differ in them: name to label."""
    seen: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, str] = {}
    points = {repeat.point.key: repeat.point for repeat in repeats}.values()
    for point in points:
        for name, value in point.params.items():
            seen[name].add(str(value))
            labels.setdefault(name, param_label(point.tool, name))
    return {name: labels[name] for name, values in seen.items() if len(values) > 1}


def swept_params(repeats: Iterable[Repeat]) -> dict[str, bool]:
    """The parameters in which workloads differ that are otherwise equal, and whether they are
    numbers; numbers come first, the one with most values before the others.
    """
    points = list({repeat.point.key: repeat.point for repeat in repeats}.values())
    found: list[tuple[bool, int, str]] = []
    for name in params_that_vary(repeats):
        alike: dict[str, dict[str, bool]] = defaultdict(dict)
        for point in points:
            value = point.params.get(name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            alike[_key_without(point, name)][str(value)] = number
        most = max(alike.values(), key=len)
        if len(most) > 1:
            found.append((not all(most.values()), -len(most), name))
    return {name: not words for words, _count, name in sorted(found, key=lambda row: row[:2])}


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
    if question.factor in ("target", "disk"):
        return lambda repeat: repeat.conditions.target_label
    return _tuning_function(repeats)


def _param_level(repeat: Repeat, name: str) -> str:
    point = repeat.point
    return f"{param_label(point.tool, name)} {value_text(point.tool, name, point.params.get(name))}"


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
