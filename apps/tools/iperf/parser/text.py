"""Parse the text of either iperf, with other text around it."""

from __future__ import annotations

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Completeness

from . import iperf2, iperf3
from .calls import Test
from .results import result_of, with_commands
from .sections import IperfLines
from .totals import NOTHING, EndResult, Result

NO_CLIENT = "The server listened and no client connected: there is nothing to measure."


def parse_text(text: str) -> EndResult:
    """Parse every test of the text.

    Raises: ToolError or OutputError.
    """
    parsed_lines = IperfLines()
    parsed_lines.read(text)
    tests = list(parsed_lines.measured)
    if not tests:
        raise _no_result_error(parsed_lines)
    results = [_result(test) for test in tests]
    if not any(result.flows for result in results):
        errors = _errors(parsed_lines)
        raise ToolError(errors[-1]) if errors else OutputError(NOTHING)
    results = with_commands(results, parsed_lines.commands, _failed(parsed_lines))
    lost = [text for test in parsed_lines.tests if test.empty for text in test.errors]
    return EndResult(
        format=f"iperf{tests[-1].shape}-text",
        version=parsed_lines.version,
        tests=results,
        warnings=tuple(dict.fromkeys([*parsed_lines.errors, *lost, *parsed_lines.remarks])),
    )


def _result(test: Test) -> Result:
    module = iperf3 if test.shape == 3 else iperf2
    flows, state, remarks = module.flows(test)
    end_remarks = () if test.errors else _end_remarks(module.NO_TOTAL, module.NO_END, state)
    return result_of(test, flows, state, [*end_remarks, *remarks])


def _end_remarks(no_total: str, no_end: str, state: Completeness) -> list[str]:
    return {"partial": [no_total], "unknown": [no_end], "whole": []}[state]


def _failed(parsed_lines: IperfLines) -> list[int]:
    """Return the lines of calls that printed only an error."""
    lost = [test.first for test in parsed_lines.tests if test.empty and test.errors and test.headed]
    return [*parsed_lines.failed, *lost]


def _errors(parsed_lines: IperfLines) -> list[str]:
    return [*parsed_lines.errors, *(text for test in parsed_lines.tests for text in test.errors)]


def _no_result_error(parsed_lines: IperfLines) -> Exception:
    if errors := _errors(parsed_lines):
        return ToolError(f"iperf said: {errors[-1]}")
    return OutputError(NO_CLIENT if parsed_lines.listening else "There is no result of iperf here.")
