"""Convert a run of `rados bench` to a measurement.

rados's "MB" is MiB (obj_bencher.cc divides by 1024 * 1024). Bandwidth and IOPS are recomputed
exactly: operations x size / time; the printed values are in `values["printed"]`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Latency, Measurement, Series
from apps.tools.text import count, number, without_variables
from apps.tools.translation import gettext_noop
from apps.tools.values import Parameters, Values

from .run import MIB, NS, RadosRun, SecondRow
from .table import block_of, series

# A timed run ends with the last operations in flight; this many seconds allow for the clock.
SLACK_SECONDS = 0.2
ENDED_EARLY = 0.9
NO_SUMMARY = (
    "The output is cut off before the summary; the figures are those of the table's last second."
)
CUT = "The output is cut off."
UNKNOWN = "The last line has no end and was left out: completeness unknown."
WHICH_READ = "The output does not say whether it read in sequence (seq) or at random (rand)."


class _Shared(TypedDict):
    params: Parameters
    series: tuple[Series, ...]
    target: str
    unread_options: tuple[str, ...]
    completeness: Completeness
    warnings: tuple[str, ...]
    lines: tuple[int, int] | None


def operations(run: RadosRun) -> float | None:
    """Return the number of operations in the summary."""
    writes = run.figures.get("total_writes_made")
    return writes if writes is not None else run.figures.get("total_reads_made")


def measurement(run: RadosRun) -> Measurement | None:
    """Return the run's measurement with remarks; None without summary and table."""
    seconds, finished = run.figures.get("total_time_run"), operations(run)
    if seconds and finished and number(finished * (_size(run) or 1) / seconds) is not None:
        return _from_summary(run, seconds, finished)
    return _from_table(run)


def completeness(run: RadosRun) -> Completeness:
    """Return "whole" with the summary's last line, "unknown" if only that line is incomplete."""
    if run.complete:
        return "whole"
    return "unknown" if run.lost_end else "partial"


def _from_summary(run: RadosRun, seconds: float, finished: float) -> Measurement:
    size = _size(run)
    printed = run.figures.get("bandwidth")
    exhausted = _ran_out(run, seconds)
    operation = run.operation or ("seq" if exhausted else "read")
    values = _values(run, seconds, finished, size)
    if exhausted:
        values["ran_out_of_objects"] = True
    printed_bandwidth = None if printed is None else printed * MIB
    return Measurement(
        operation=operation,
        bandwidth=finished * size / seconds if size else printed_bandwidth,
        iops=finished / seconds,
        latency=_latency(run),
        values=values,
        **_common_members(run, [*_remarks(run, operation, exhausted, seconds), *_ending(run)]),
    )


def _common_members(run: RadosRun, remarks: list[str]) -> _Shared:
    """Return the members of a measurement that come from its run, in every format."""
    return {
        "params": _params(run),
        "series": series(run.rows),
        "target": without_variables(run.pool),
        "unread_options": tuple(run.unread.values()),
        "completeness": completeness(run),
        "warnings": tuple(remarks),
        "lines": (run.first, run.last) if run.first and run.last else None,
    }


def _from_table(run: RadosRun) -> Measurement | None:
    rows = [row for row in run.rows if row.second > 0 and row.finished]
    if not rows:
        return None
    last, size = rows[-1], count(run.params.get("bs")) or block_of(run.rows)
    average = None if last.average is None else last.average * MIB
    operation = run.operation or "read"
    if size:
        run.update_params({"bs": size})
    result = Measurement(
        operation=operation,
        bandwidth=last.finished * size / last.second if size else average,
        iops=last.finished / last.second,
        latency=Latency(mean=_ns(last.latency)),
        values={
            "total_ios": last.finished,
            "runtime": float(last.second),
            **_stalls(run.rows),
        },
        **_common_members(run, [*_remarks(run, operation, False, last.second), NO_SUMMARY]),
    )
    # Partial also with a summary without a usable time.
    return replace(result, completeness="partial")


def _size(run: RadosRun) -> float | None:
    for name in ("write_size", "read_size"):
        if run.figures.get(name):
            return run.figures[name]
    return count(run.params.get("bs")) or None


def _ran_out(run: RadosRun, seconds: float) -> bool:
    """Return True if a sequential read ended because it had read all objects.

    Without the command line: a run that ends by time ends within one latency after a whole second.
    """
    if "total_reads_made" not in run.figures or run.operation == "rand":
        return False
    if run.requested_seconds is not None:
        return seconds < run.requested_seconds * ENDED_EARLY
    longest = run.figures.get("max_latency")
    return longest is not None and seconds % 1 > longest + SLACK_SECONDS


def _remarks(run: RadosRun, operation: str, exhausted: bool, seconds: float) -> list[str]:
    messages = []
    if operation == "read":
        messages.append(WHICH_READ)
    if exhausted:
        messages.append(_exhausted(f"{seconds:.3g}", run.requested_seconds))
    stalls, counted = _stalled(run.rows), [row for row in run.rows if row.second > 0]
    if stalls:
        template = gettext_noop("Nothing was finished (0 MB/s) in %(number)d of %(all)d seconds.")
        messages.append(message(template, number=len(stalls), all=len(counted)))
    return messages


def _ending(run: RadosRun) -> list[str]:
    if run.complete:
        return []
    return [UNKNOWN if run.lost_end else CUT]


def _params(run: RadosRun) -> Parameters:
    params: Parameters = dict(run.params)
    for name in ("write_size", "read_size"):
        if run.figures.get(name):
            params["bs"] = int(run.figures[name])
    if run.figures.get("object_size"):
        params["object_size"] = int(run.figures["object_size"])
    if run.requested_seconds is not None:
        params["seconds"] = int(run.requested_seconds)
    return params


def _latency(run: RadosRun) -> Latency:
    names = ("min", "average", "max", "stddev")
    smallest, mean, largest, spread = (_ns(run.figures.get(f"{name}_latency")) for name in names)
    return Latency(smallest, mean, largest, spread)


def _ns(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * NS, 3)


def _values(run: RadosRun, seconds: float, finished: float, size: float | None) -> Values:
    figures = run.figures
    printed = {"bandwidth": figures.get("bandwidth"), "iops": figures.get("average_iops")}
    if printed["bandwidth"] is not None:
        printed["bandwidth"] *= MIB
    values: Values = {"total_ios": int(finished), "runtime": seconds}
    if size:
        values["io_bytes"] = int(finished * size)
    for name in ("stddev", "max", "min"):
        if f"{name}_bandwidth" in figures:
            values[f"bandwidth_{name}"] = figures[f"{name}_bandwidth"] * MIB
        if _plausible(figures, f"{name}_iops"):
            values[f"iops_{name}"] = figures[f"{name}_iops"]
    values["printed"] = {name: value for name, value in printed.items() if value is not None}
    return values | _stalls(run.rows)


def _plausible(figures: dict[str, float], name: str) -> bool:
    """Return False for the uninitialised standard deviation of IOPS in the JSON of rados 16."""
    value = figures.get(name)
    return value is not None and value <= figures.get("max_iops", value)


def _stalled(rows: list[SecondRow]) -> list[int]:
    """Return the seconds with 0 MB/s; second 0 is the start and no stall."""
    return [row.second for row in rows if row.second > 0 and row.current == 0]


def _stalls(rows: list[SecondRow]) -> Values:
    if not any(row.second > 0 for row in rows):
        return {}
    return {"stalls": len(_stalled(rows)), "stalled_seconds": _stalled(rows)[:1000]}


def _exhausted(seconds: str, requested: float | None) -> str:
    if not requested:
        template = gettext_noop("seq ran out of objects: it read everything in %(seconds)s s.")
        return message(template, seconds=seconds)
    return message(
        "seq ran out of objects: it read everything in %(seconds)s s instead of %(asked)s s.",
        seconds=seconds,
        asked=f"{requested:.0f}",
    )
