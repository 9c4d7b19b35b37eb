"""Options of tests as they were run, entered beside the outputs or printed above them.

fio omits flags without a value (`--time_based`, `--thread`) from its JSON, and no output states the
options that were left at their defaults.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.tools.errors import ParamsError
from apps.tools.fields import Params
from apps.tools.parse_result import Measurement
from apps.tools.pasted_commands.job_import import ImportedStep
from apps.tools.registry import TOOLS, tool
from apps.tools.step_import.command_lines import Recognition
from apps.tools.step_import.commands import read_calls
from apps.tools.tool import Tool
from apps.tools.values import Parameters

_PROMPT = " \t#$%>"
_SCALARS = (str, int, float)


@dataclass(frozen=True)
class JobOptions:
    """One test in a text: its name, all its parameters, the line of its command and its target."""

    name: str
    params: Parameters
    line: int = 1
    target: str = ""


@lru_cache(maxsize=8)
def tests_of(name: str, text: str) -> tuple[JobOptions, ...]:
    """Return the tests of a tool in a text that a user entered: calls, and jobs of job files."""
    return _tests(name, text) if text.strip() else ()


def is_parsed_by_any_tool(text: str) -> bool:
    """Return True if any tool finds a complete test in the text."""
    return any(tests_of(name, text) for name in TOOLS)


def commands_in(name: str, text: str) -> tuple[JobOptions, ...]:
    """Return the tests of a tool whose calls occur in a text among other lines.

    A call that cannot be parsed becomes a test without parameters.
    """
    names = "|".join(map(re.escape, TOOLS[name].command_names))
    has_name = re.compile(rf"(?:{names})[ \t]")
    if not names or not has_name.search(text):
        return ()  # reading all lines of a long output is slow
    tests = _tests(name, text)
    recognition, read = Recognition(text), {test.line for test in tests}
    others = [
        JobOptions("", {}, number)
        for number, line in enumerate(text.split("\n"), 1)
        if number not in read
        and has_name.search(line)
        and recognition.is_call(line.lstrip(_PROMPT))
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
        # A call that no plan makes, such as a read of data from another call.
        params = {k: v for k, v in step.params.items() if isinstance(v, _SCALARS)}
    empty_label = plugin.setup_params - step.params.keys()
    stated: Parameters = {n: v for n, v in params.items() if v is not None and n not in empty_label}
    return JobOptions(step.name, stated, step.line, step.target)


def options_of(
    name: str, measurement: Measurement, tests: Sequence[JobOptions], known: Parameters
) -> Parameters | None:
    """Return the options of one result, or None if no test fits it.

    These are the options of the fitting test, or those that several fitting tests share. `known`:
    further known parameters of the result. A test fits if it contradicts none of them.
    """
    fitting = fitting_tests(name, measurement, tests, known)
    if not fitting:
        return None
    return _common([_of_operation(name, measurement, one) for one in fitting])


def fitting_tests(
    name: str, measurement: Measurement, tests: Sequence[JobOptions], known: Parameters
) -> list[JobOptions]:
    """Return the tests that may have produced a measurement.

    These are the consistent tests with the measurement's job name, else all consistent tests.
    """
    stated = {**known, **measurement.params}
    fitting = [one for one in tests if _fits(name, measurement, one, stated)]
    return [one for one in fitting if one.name == measurement.job] or fitting


def _fits(name: str, measurement: Measurement, test: JobOptions, stated: Parameters) -> bool:
    measured = test.params.get("operations")
    if isinstance(measured, str) and measurement.operation not in measured.split("+"):
        return False
    options = _of_operation(name, measurement, test)
    return all(stated.get(k, v) == v for k, v in options.items())


def _of_operation(name: str, measurement: Measurement, test: JobOptions) -> Parameters:
    if not test.params:
        return {}
    options = tool(name).operation_params(test.params, measurement.operation)
    return {name: value for name, value in options.items() if value is not None}


def _common(used: Sequence[Parameters]) -> Parameters:
    first, *others = used
    return {
        name: value
        for name, value in first.items()
        if all(name in one and one[name] == value for one in others)
    }
