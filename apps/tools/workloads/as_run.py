"""Options of tests as they were run: a person enters them beside the outputs, or a text has the
command above its output. fio leaves flags without a value (`--time_based`, `--thread`) out of its
JSON, and no output names what was left as usual.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.tools.base import Measurement, ParamsError, Tool
from apps.tools.pasted.steps import PastedStep
from apps.tools.registry import TOOLS, tool
from apps.tools.values import Parameters


@dataclass(frozen=True)
class AsRun:
    """One test of a text: its name there, all of its parameters, the line of its command and the
    target that the command names."""

    name: str
    params: Parameters
    line: int = 1
    target: str = ""


@lru_cache(maxsize=8)
def tests_of(name: str, text: str) -> tuple[AsRun, ...]:
    """The tests that a text has for a tool, which reads it as it reads steps of a plan."""
    room = TOOLS[name]
    if not (room.pastes and text.strip()):
        return ()
    return tuple(_tests(room, room.steps_from(text).steps))


def understood_by_any(text: str) -> bool:
    """Whether some tool finds a whole test in a text."""
    return any(tests_of(name, text) for name in TOOLS)


def _tests(room: Tool, steps: Sequence[PastedStep]) -> Iterator[AsRun]:
    for step in steps:
        if room.params is None or any(isinstance(value, list) for value in step.params.values()):
            continue
        try:
            params = room.params.from_raw(dict(step.params)).canonical()
        except ParamsError:
            continue
        stated: Parameters = {name: v for name, v in params.items() if v is not None}
        yield AsRun(step.name, stated, step.line, step.target)


def options_of(
    name: str, found: Measurement, tests: Sequence[AsRun], known: Parameters
) -> Parameters | None:
    """The options of one result of a tool: those of the test that fits it, or what several fitting
    tests have in common; None where none fits. `known`: what else is known of the result. A test
    fits where it contradicts nothing that is known.
    """
    fitting = fitting_tests(name, found, tests, known)
    if not fitting:
        return None
    return _common([_of_operation(name, found, one) for one in fitting])


def fitting_tests(
    name: str, found: Measurement, tests: Sequence[AsRun], known: Parameters
) -> list[AsRun]:
    """The tests that a measurement may be a result of: of those that contradict nothing the ones of
    its job's name, or all."""
    stated = {**known, **found.params}
    alike = [
        one
        for one in tests
        if all(stated.get(k, v) == v for k, v in _of_operation(name, found, one).items())
    ]
    return [one for one in alike if one.name == found.job] or alike


def _of_operation(name: str, found: Measurement, test: AsRun) -> Parameters:
    return tool(name).operation_params(test.params, found.operation)


def _common(used: Sequence[Parameters]) -> Parameters:
    first, *others = used
    return {
        name: value
        for name, value in first.items()
        if all(name in one and one[name] == value for one in others)
    }


def commands_in(name: str, text: str) -> tuple[AsRun, ...]:
    """The tests of a tool whose commands stand in a text, in the order of their lines."""
    return ()
