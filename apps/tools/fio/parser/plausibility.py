"""Figures that cannot be what they seem: a warning of the result, which stays as fio gave it."""

from __future__ import annotations

from dataclasses import replace

from apps.tools.parse_result import Measurement, Parsed
from apps.tools.text import number

# Seconds that an operation may have begun before the measurement did.
SLACK = 1.0
# fio's bins are up to 1/64 wide, and text rounds both figures.
_WIDER = 1.1
LONGER = (
    "{operation}: a mean latency of {latency:,.6g} s is longer than the run of {run:,.6g} s; "
    "fio's latencies are not to be believed."
)
BEYOND = (
    "{operation}: percentiles (p{name}: {latency:,.6g} s) lie beyond the longest latency of "
    "{longest:,.6g} s; they are not to be believed."
)


def with_doubts(parsed: Parsed) -> Parsed:
    """Add the warnings to each result."""
    found = tuple(
        replace(each, warnings=(*each.warnings, *said)) if (said := _doubts(each)) else each
        for each in parsed.measurements
    )
    return replace(parsed, measurements=found)


def _doubts(found: Measurement) -> list[str]:
    """Return a sentence for a mean latency that is longer than the run, and for percentiles that
    are longer than the longest latency.
    """
    if found.part:
        return []
    said = []
    run, mean = number(found.values.get("runtime")), found.latency.mean
    seconds = None if mean is None else mean / 1e9
    if run and seconds and seconds > run + SLACK:
        said.append(LONGER.format(operation=found.operation, latency=seconds, run=run))
    longest = found.latency.max
    beyond = {
        name: value
        for name, value in found.latency.percentiles.items()
        if longest and value > longest * _WIDER
    }
    if longest and beyond:
        name, value = max(beyond.items(), key=lambda each: float(each[0]))
        said.append(
            BEYOND.format(
                operation=found.operation, name=name, latency=value / 1e9, longest=longest / 1e9
            )
        )
    return said
