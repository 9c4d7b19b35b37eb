"""Warnings about implausible figures; the figures themselves stay unchanged."""

from __future__ import annotations

from dataclasses import replace

from apps.tools.parse_result import Measurement, Parsed
from apps.tools.text import number

# Seconds by which an operation may have started before the measurement.
SLACK_SECONDS = 1.0
# fio's bins are up to 1/64 wide, and text output rounds both figures.
_TOLERANCE = 1.1
MEAN_TOO_LONG = (
    "{operation}: a mean latency of {latency:,.6g} s is longer than the run of {run:,.6g} s; "
    "fio's latencies are not to be believed."
)
PERCENTILES_TOO_LONG = (
    "{operation}: percentiles (p{name}: {latency:,.6g} s) lie beyond the longest latency of "
    "{longest:,.6g} s; they are not to be believed."
)


def with_doubts(parsed: Parsed) -> Parsed:
    """Return the results with the warnings added to each."""
    results = tuple(
        replace(each, warnings=(*each.warnings, *doubts)) if (doubts := _doubts(each)) else each
        for each in parsed.measurements
    )
    return replace(parsed, measurements=results)


def _doubts(measurement: Measurement) -> list[str]:
    """Return warnings about impossible latencies.

    These are a mean longer than the run, and percentiles longer than the maximum.
    """
    if measurement.component:
        return []
    warnings = []
    run, mean = number(measurement.values.get("runtime")), measurement.latency.mean
    seconds = None if mean is None else mean / 1e9
    if run and seconds and seconds > run + SLACK_SECONDS:
        warnings.append(
            MEAN_TOO_LONG.format(operation=measurement.operation, latency=seconds, run=run)
        )
    maximum = measurement.latency.max
    beyond = {
        name: value
        for name, value in measurement.latency.percentiles.items()
        if maximum and value > maximum * _TOLERANCE
    }
    if maximum and beyond:
        name, value = max(beyond.items(), key=lambda each: float(each[0]))
        warnings.append(
            PERCENTILES_TOO_LONG.format(
                operation=measurement.operation,
                name=name,
                latency=value / 1e9,
                longest=maximum / 1e9,
            )
        )
    return warnings
