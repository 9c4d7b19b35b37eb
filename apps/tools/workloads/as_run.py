"""Options of a test as it was run, told beside its output: fio leaves flags without a value
(`--time_based`, `--thread`) out of its JSON, and no output names what was left as usual.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.tools.base import Measurement, ParamsError, Parsed, Tool
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters


@dataclass(frozen=True)
class AsRun:
    """One test of the text: its name there, and all of its parameters."""

    name: str
    params: Parameters


@lru_cache(maxsize=8)
def tests_of(tool: str, text: str) -> tuple[AsRun, ...]:
    """The tests that a text has for a tool, which reads it as it reads steps of a plan."""
    room = TOOLS[tool]
    return tuple(_tests(room, text)) if room.pastes and text.strip() else ()


def understood_by_any(text: str) -> bool:
    """Whether some tool finds a whole test in a text."""
    return any(tests_of(name, text) for name in TOOLS)


def _tests(room: Tool, text: str) -> Iterator[AsRun]:
    for step in room.steps_from(text).steps:
        if room.params is None or any(isinstance(value, list) for value in step.params.values()):
            continue
        try:
            params = room.params.from_raw(dict(step.params)).canonical()
        except ParamsError:
            continue
        yield AsRun(step.name, {name: value for name, value in params.items() if value is not None})


def told_by(parsed: Parsed, tests: Sequence[AsRun], known: Parameters) -> Parameters | None:
    """Parameters that the tests say of all measurements of an output alike; None where one of these
    fits no test. `known`: what names of folders say. A test fits where nothing that is known is
    otherwise there.
    """
    used: list[Parameters] = []
    for found in parsed.measurements:
        fitting = _fitting(found, tests, {**known, **found.params})
        if not fitting:
            return None
        used += [one.params for one in fitting]
    return _common(used)


def _fitting(found: Measurement, tests: Sequence[AsRun], known: Parameters) -> list[AsRun]:
    """The tests that this may be a result of: of those that contradict nothing the one of its job's
    name, or all.
    """
    alike = [one for one in tests if all(known.get(k, v) == v for k, v in one.params.items())]
    return [one for one in alike if one.name == found.job] or alike


def _common(used: Sequence[Parameters]) -> Parameters:
    if not used:
        return {}
    first, *others = used
    return {
        name: value
        for name, value in first.items()
        if all(name in one and one[name] == value for one in others)
    }
