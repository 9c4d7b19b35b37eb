"""Parse output of `rbd bench` into a measurement of its reads and one of its writes.

rbd prints whole seconds and, since luminous, bytes per second with two or three digits. Operations
and operations per second are exact to six digits. So bandwidth is their rate x the size of one, and
the run time is operations / rate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Measurement, Output, Parsed, Series
from apps.tools.pools.cluster_facts import client_version, cluster, complaints
from apps.tools.text import (
    MAX_OUTPUT,
    RECOGNITION_BYTES,
    TOO_LARGE,
    as_text,
    count,
    without_variables,
)
from apps.tools.values import Values

from .reader import read_runs
from .run import RbdFigures, RbdRun

ROUNDING = 0.1
_COMPLAINTS = ("rbd:", "bench failed:", "write error:", "read error:", "bench-write failed:")
CUT = "The output is cut off before the summary; the figures are those of the table's last second."
OVERCOUNTED = (
    "This rbd counted bytes that it never moved ({printed:.0f} bytes/s); the bandwidth is "
    "operations x their size."
)
UNSIZED = "The line that says the size of an operation is missing; the bandwidth is as printed."


def parse_output(output: Output) -> Parsed:
    """Parse an attempt's files, or an import's "stdout".

    Raises: ToolError with rbd's error message, or OutputError.
    """
    data = output.files.get("stdout", b"")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    text = as_text(data)
    runs = [run for run in read_runs(text) if run.total or run.rows]
    by_run = [(run, list(measurements(run))) for run in runs]
    results = [
        _with_run(run, each, call)
        for call, (run, measured) in enumerate([pair for pair in by_run if pair[1]], 1)
        for each in measured
    ]
    if not results:
        raise _no_result_error(text + as_text(output.files.get("stderr", b"")[-4096:]))
    if facts := cluster(output.files):
        results = [replace(each, values=each.values | {"ceph": facts}) for each in results]
    return Parsed(
        tool="rbd",
        format="text",
        version=client_version(text[:RECOGNITION_BYTES]),
        measurements=tuple(results),
        warnings=tuple(complaints(output.files)),
        completeness="partial" if any(m.completeness == "partial" for m in results) else "whole",
    )


def _with_run(run: RbdRun, measurement: Measurement, call: int) -> Measurement:
    return replace(
        measurement,
        call=call,
        target=without_variables(run.call.image),
        unread_options=run.call.unread,
        completeness="whole" if run.complete else "partial",
        warnings=tuple(_remarks(run)),
        lines=run.lines,
    )


def measurements(run: RbdRun) -> Iterator[Measurement]:
    """Yield a measurement of each direction; none for a mix without its summary."""
    if run.mixed:
        for operation, part in run.shares.items():
            yield _measurement(run, operation, part, ())
    elif run.total is not None:
        yield _measurement(run, _operation(run), run.total, series(run))
    elif run.rows:
        second, operations = run.rows[-1]
        so_far = RbdFigures(operations, operations / second, None)
        yield _measurement(run, _operation(run), so_far, series(run))


def _operation(run: RbdRun) -> str:
    return "read" if run.params.get("mode") == "read" else "write"


def _measurement(
    run: RbdRun, operation: str, figures: RbdFigures, over_time: tuple[Series, ...]
) -> Measurement:
    size, rate = count(run.params.get("bs")), figures.rate
    printed = {"bandwidth": figures.printed, "iops": rate if run.total else None}
    values: Values = {"total_ios": figures.operations}
    if rate:
        values["runtime"] = round(figures.operations / rate, 6)
    if size:
        values["io_bytes"] = figures.operations * size
    values["printed"] = {name: value for name, value in printed.items() if value is not None}
    return Measurement(
        operation=operation,
        bandwidth=rate * size if rate is not None and size else figures.printed,
        iops=rate,
        params=run.params,
        values=values,
        series=over_time,
    )


def series(run: RbdRun) -> tuple[Series, ...]:
    """Return the IOPS of each second, computed from the operations finished so far.

    The rate that rbd prints is a mean over up to five rows. Seconds that rbd left out get their
    mean. If the size of an operation is known, bandwidth is included.
    """
    rates: list[float] = []
    for (before, done), (second, finished) in pairwise([(0, 0), *run.rows]):
        rates += [(finished - done) / (second - before)] * (second - before)
    if not rates:
        return ()
    size = count(run.params.get("bs"))
    bandwidth_series = (Series("bandwidth", tuple(rate * size for rate in rates)),) if size else ()
    return (Series("iops", tuple(rates)), *bandwidth_series)


def _remarks(run: RbdRun) -> Iterator[str]:
    if not run.complete:
        yield CUT
    size, total = count(run.params.get("bs")), run.total
    if not size:
        yield UNSIZED
    elif total and total.rate and total.printed:
        exact = total.rate * size
        if total.printed > exact * (1 + ROUNDING):
            yield OVERCOUNTED.format(printed=total.printed)


def _no_result_error(text: str) -> Exception:
    for line in text[-4096:].split("\n"):
        if line.startswith(_COMPLAINTS):
            return ToolError(f"rbd said: {line.strip()[:300]}")
    return OutputError("There is no result of rbd bench in this file.")
