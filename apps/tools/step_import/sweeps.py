"""Parameter sweeps from loops: steps of one call become one step with lists of values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.messages import message
from apps.tools.pasted_commands.job_import import ImportedStep, ImportNote
from apps.tools.values import RawValue


@dataclass(frozen=True)
class MadeStep:
    """Step with the positions of its calls, the enclosing loops, and its number."""

    step: ImportedStep
    site: tuple[int, ...]
    loops: tuple[int, ...]
    order: int
    facts: Mapping[str, str] = field(default_factory=dict)


def merged(made: Sequence[MadeStep]) -> tuple[list[ImportedStep], list[ImportNote]]:
    """Return the steps with each loop as one step, and notes on loops that repeat a test."""
    groups: dict[object, list[MadeStep]] = {}
    for each in made:
        # A call outside loops is a separate group.
        key = (each.site, each.loops[0], each.step.tool) if each.loops else each.order
        groups.setdefault(key, []).append(each)
    steps: list[ImportedStep] = []
    notes: list[ImportNote] = []
    for group in groups.values():
        distinct = _sweep([each.step for each in group])
        steps += distinct
        if len(distinct) < len(group):
            notes += _notes(group, distinct)
    return steps, notes


def _sweep(steps: Sequence[ImportedStep]) -> list[ImportedStep]:
    """Return one step if the values are all combinations of some lists, else each step."""
    first = steps[0]
    if len(steps) == 1:
        return [first]
    if any(step.params.keys() != first.params.keys() for step in steps):
        return _different(steps)
    varied: dict[str, list[RawValue]] = {}
    for name in first.params:
        values: list[RawValue] = []
        for step in steps:
            if step.params[name] not in values:
                values.append(step.params[name])
        if len(values) > 1:
            varied[name] = values
    combinations = {tuple(map(repr, (step.params[name] for name in varied))) for step in steps}
    all_combinations = itertools.product(
        *([repr(value) for value in values] for values in varied.values())
    )
    lists = any(isinstance(value, (list, tuple)) for each in varied.values() for value in each)
    if lists or combinations != set(all_combinations):
        return _different(steps)
    params: dict[str, RawValue] = dict(first.params)
    params |= {name: [*values] for name, values in varied.items()}  # type: ignore[list-item] # no nested lists
    return [replace(first, name=_name(steps), params=params, target=_target(steps))]


def _different(steps: Sequence[ImportedStep]) -> list[ImportedStep]:
    """Return the distinct steps."""
    distinct: list[ImportedStep] = []
    for step in steps:
        if all(dict(step.params) != dict(other.params) for other in distinct):
            distinct.append(step)
    return distinct


def _name(steps: Sequence[ImportedStep]) -> str:
    """Return the common prefix of the names."""
    names = [step.name for step in steps]
    if len(set(names)) == 1:
        return names[0]
    common_signs = itertools.takewhile(
        lambda signs: len(set(signs)) == 1, zip(*names, strict=False)
    )
    common = "".join(signs[0] for signs in common_signs).rstrip("-_.: 0123456789")
    return common or names[0]


def _target(steps: Sequence[ImportedStep]) -> str:
    return ", ".join(dict.fromkeys(step.target for step in steps if step.target))


def _notes(group: Sequence[MadeStep], distinct: Sequence[ImportedStep]) -> Iterator[ImportNote]:
    line = distinct[0].line
    targets = list(dict.fromkeys(each.step.target for each in group))
    tests = 1
    for values in distinct[0].params.values():
        tests *= len(values) if isinstance(values, list) else 1
    if len(targets) > 1:
        text = message(
            "The loop goes over %(targets)s: choose these as targets of the plan.",
            targets=", ".join(targets)[:200],
        )
        yield ImportNote(line, text, "left")
    elif len(distinct) == 1 and len(group) > tests:
        text = message(
            "The loop repeats the same test: set the repeats of the plan to %(count)d.",
            count=len(group) // tests,
        )
        yield ImportNote(line, text, "left")
