"""Figures that cannot be what they seem: said beside the result, which stays as fio gave it."""

from __future__ import annotations

from collections.abc import Iterable

from apps.tools.base import Measurement
from apps.tools.text import number

# Seconds that an operation may have begun before the measurement did.
SLACK = 1.0
LONGER = (
    "{operation}: a mean latency of {latency:,.6g} s is longer than the run of {run:,.6g} s; "
    "fio's latencies are not to be believed."
)


def doubts(measurements: Iterable[Measurement]) -> list[str]:
    """A sentence for each operation whose mean latency is longer than the time it was measured
    for."""
    said = []
    for each in measurements:
        run, mean = number(each.values.get("runtime")), each.latency.mean
        seconds = None if mean is None else mean / 1e9
        if run and seconds and seconds > run + SLACK and not each.part:
            said.append(LONGER.format(operation=each.operation, latency=seconds, run=run))
    return said
