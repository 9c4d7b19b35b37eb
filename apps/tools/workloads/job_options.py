"""Options of tests as they were run: a person enters them beside the outputs, or a text has the
command above its output. fio leaves flags without a value (`--time_based`, `--thread`) out of its
JSON, and no output names what was left as usual.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.tools.base import Measurement, Params, ParamsError, Tool
from apps.tools.registry import TOOLS, tool
from apps.tools.split_output.commands import read_calls
from apps.tools.split_output.job_import import ImportedStep
from apps.tools.split_output.recognition import Recognition
from apps.tools.values import Parameters

_PROMPT = " \t#$%>"
_SCALARS = (str, int, float)


@dataclass(frozen=True)
class JobOptions:
    """One test of a text: its name there, all of its parameters, the line of its command and the
    target that the command names.
    """

    name: str
    params: Parameters
    line: int = 1
    target: str = ""


@lru_cache(maxsize=8)
def tests_of(name: str, text: str) -> tuple[JobOptions, ...]:
    """The tests of a tool in a text that a person entered: calls, and jobs of job files."""
    return _tests(name, text) if text.strip() else ()


def understood_by_any(text: str) -> bool:
    """Whether some tool finds a whole test in a text."""
    return any(tests_of(name, text) for name in TOOLS)


def commands_in(name: str, text: str) -> tuple[JobOptions, ...]:
    """The tests of a tool whose calls stand in a text among other lines. A call that is not
    understood is a test of which nothing is known.
    """
    names = "|".join(map(re.escape, TOOLS[name].command_names))
    has_name = re.compile(rf"(?:{names})[ \t]")
    if not names or not has_name.search(text):
        return ()  # reading all lines of a long output takes its time
    tests = _tests(name, text)
    known, read = Recognition(text), {test.line for test in tests}
    others = [
        JobOptions("", {}, number)
        for number, line in enumerate(text.split("\n"), 1)
        if number not in read and has_name.search(line) and known.is_call(line.lstrip(_PROMPT))
    ]
    return tuple(sorted([*tests, *others], key=lambda test: test.line))


def _tests(name: str, text: str) -> tuple[JobOptions, ...]:
    plugin = TOOLS[name]
    if plugin.params is None:
        return ()
    steps = [step for step in read_calls(text) if step.tool == name]
    return tuple(_test(plugin, plugin.params, step) for step in steps if not _is_sweep(step))


def _is_sweep(step: ImportedStep) -> bool:
    return any(isinstance(value, list) for value in step.params.values())


def _test(plugin: Tool, kind: type[Params], step: ImportedStep) -> JobOptions:
    try:
        params = kind.from_raw(dict(step.params)).canonical()
    except ParamsError:
        # A call that no plan makes, such as a read of what another call wrote.
        params = {k: v for k, v in step.params.items() if isinstance(v, _SCALARS)}
    absent = plugin.setup_params - step.params.keys()
    stated: Parameters = {n: v for n, v in params.items() if v is not None and n not in absent}
    return JobOptions(step.name, stated, step.line, step.target)


def options_of(
    name: str, found: Measurement, tests: Sequence[JobOptions], known: Parameters
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
    name: str, found: Measurement, tests: Sequence[JobOptions], known: Parameters
) -> list[JobOptions]:
    """The tests that a measurement may be a result of: of those that contradict nothing the ones of
    its job's name, or all.
    """
    stated = {**known, **found.params}
    alike = [one for one in tests if _fits(name, found, one, stated)]
    return [one for one in alike if one.name == found.job] or alike


def _fits(name: str, found: Measurement, test: JobOptions, stated: Parameters) -> bool:
    measured = test.params.get("operations")
    if isinstance(measured, str) and found.operation not in measured.split("+"):
        return False
    own = _of_operation(name, found, test)
    return all(stated.get(k, v) == v for k, v in own.items())


def _of_operation(name: str, found: Measurement, test: JobOptions) -> Parameters:
    if not test.params:
        return {}
    own = tool(name).operation_params(test.params, found.operation)
    return {name: value for name, value in own.items() if value is not None}


def _common(used: Sequence[Parameters]) -> Parameters:
    first, *others = used
    return {
        name: value
        for name, value in first.items()
        if all(name in one and one[name] == value for one in others)
    }
