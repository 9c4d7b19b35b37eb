"""The text of either iperf, with other text around it -> measurements."""

from __future__ import annotations

from apps.tools.base import Completeness, OutputError, ToolError

from . import iperf2, iperf3
from .sections import IperfLines, Test
from .totals import NOTHING, Flow, Found

SILENT = "The server listened and no client connected: there is nothing to measure."


def parse_text(text: str) -> Found:
    """Every test of the text. Raises ToolError or OutputError."""
    reading = IperfLines()
    reading.read(text)
    tests = list(reading.measured)
    if not tests:
        raise _nothing(reading)
    found: list[list[Flow]] = []
    warnings: list[str] = []
    states: set[Completeness] = set()
    for test in tests:
        module = iperf3 if generation(test) == 3 else iperf2
        flows, state = module.flows(test)
        found.append([flow for flow in flows if flow.bytes])
        warnings += _doubts(module.NO_TOTAL, module.NO_END, state)
        states.add(state)
    if not any(found):
        raise ToolError(reading.errors[-1]) if reading.errors else OutputError(NOTHING)
    return Found(
        format=f"iperf{generation(tests[-1])}-text",
        version=reading.version,
        tests=found,
        warnings=tuple(dict.fromkeys([*warnings, *reading.errors, *reading.remarks])),
        completeness=_worst(states, bool(reading.errors)),
    )


def _doubts(no_total: str, no_end: str, state: Completeness) -> list[str]:
    return {"partial": [no_total], "unknown": [no_end], "whole": []}[state]


def _worst(states: set[Completeness], failed: bool) -> Completeness:
    if failed or "partial" in states:
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def generation(test: Test) -> int:
    """2 or 3: as the test's first lines say, else by the closing words only iperf3 has."""
    if test.generation is not None:
        return test.generation
    return 3 if test.summary or test.done else 2


def _nothing(reading: IperfLines) -> Exception:
    if reading.errors:
        return ToolError(f"iperf said: {reading.errors[-1]}")
    return OutputError(SILENT if reading.listening else "There is no result of iperf here.")
