"""The text of either iperf, with other text around it -> measurements."""

from __future__ import annotations

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Completeness

from . import iperf2, iperf3
from .calls import Test
from .results import result_of, with_commands
from .sections import IperfLines
from .totals import NOTHING, Found, Result

SILENT = "The server listened and no client connected: there is nothing to measure."


def parse_text(text: str) -> Found:
    """Every test of the text. Raises ToolError or OutputError."""
    reading = IperfLines()
    reading.read(text)
    tests = list(reading.measured)
    if not tests:
        raise _nothing(reading)
    results = [_result(test) for test in tests]
    if not any(result.flows for result in results):
        errors = _errors(reading)
        raise ToolError(errors[-1]) if errors else OutputError(NOTHING)
    results = with_commands(results, reading.commands, _failed(reading))
    lost = [words for test in reading.tests if test.empty for words in test.errors]
    return Found(
        format=f"iperf{tests[-1].shape}-text",
        version=reading.version,
        tests=results,
        warnings=tuple(dict.fromkeys([*reading.errors, *lost, *reading.remarks])),
    )


def _result(test: Test) -> Result:
    module = iperf3 if test.shape == 3 else iperf2
    flows, state, remarks = module.flows(test)
    doubts = () if test.errors else _doubts(module.NO_TOTAL, module.NO_END, state)
    return result_of(test, flows, state, [*doubts, *remarks])


def _doubts(no_total: str, no_end: str, state: Completeness) -> list[str]:
    return {"partial": [no_total], "unknown": [no_end], "whole": []}[state]


def _failed(reading: IperfLines) -> list[int]:
    """The lines of calls that printed nothing but an error."""
    lost = [test.first for test in reading.tests if test.empty and test.errors and test.headed]
    return [*reading.failed, *lost]


def _errors(reading: IperfLines) -> list[str]:
    return [*reading.errors, *(words for test in reading.tests for words in test.errors)]


def _nothing(reading: IperfLines) -> Exception:
    if errors := _errors(reading):
        return ToolError(f"iperf said: {errors[-1]}")
    return OutputError(SILENT if reading.listening else "There is no result of iperf here.")
