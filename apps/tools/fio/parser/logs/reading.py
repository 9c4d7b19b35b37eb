"""Measurements from the logs of one fio, one per direction.

Only the files' names state the meaning of the values. Latencies are ns since fio 3.0 and µs before
(HOWTO, "Log File Formats"; fio's 3.0 release notes); bandwidth is KiB/s in all versions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from apps.tools.errors import OutputError
from apps.tools.fio.parser.direction import OPERATIONS
from apps.tools.messages import message
from apps.tools.parse_result import Measurement, Series
from apps.tools.text import is_blank
from apps.tools.translation import gettext_noop

from . import histogram_log, single, windows
from .blocks import LogText
from .columns import Columns, read_columns
from .grid import grid_of
from .histogram_log import Rows, read_rows
from .layout import is_histogram_log, is_log
from .names import LogKind, log_name

MAX_FILES = 4096
UNNAMED = (
    "This looks like a log of fio, but whether its values are KiB/s, operations/s or latencies "
    "stands in its file name alone (..._bw.1.log, ..._iops.1.log, ..._lat.1.log, ..._clat.1.log)."
)
COUNTED = "The file name does not say which log this is: only operations and bytes were counted."
MIXED = "Logs of windows stand beside logs of single I/Os: only the latter were read."
NO_WEIGHTS = (
    "Mean latencies of several jobs were left out: they can be taken together only with the IOPS "
    "log of each."
)
MICROSECONDS = "Latencies were read as microseconds: the result beside the logs is of fio {}."
ASSUMED = (
    "Nothing says which version of fio wrote these logs: latencies were read as nanoseconds "
    "(fio 3); fio 2 wrote microseconds."
)


@dataclass
class Logs:
    """Parsed logs of one fio: `entries` by kind, `rows` of histogram logs, and remarks."""

    entries: dict[LogKind, list[Columns]] = field(default_factory=dict)
    rows: list[Rows] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.entries or self.rows)


def logs_among(
    files: Mapping[str, bytes], large: Mapping[str, Iterable[bytes]] | None = None
) -> dict[str, LogText]:
    """Return the non-empty files that are logs by their name, in order.

    The order is the same for each kind, so that jobs correspond. `large`: chunks of files that
    exceed the memory.
    """
    texts: dict[str, LogText] = {**files, **(large or {})}
    logs = {name: text for name, text in texts.items() if log_name(name) and not _is_empty(text)}
    return dict(list(logs.items())[:MAX_FILES])


def _is_empty(text: LogText) -> bool:
    return isinstance(text, bytes) and is_blank(text)


def read_logs(files: Mapping[str, LogText]) -> Logs:
    """Parse every log; a file that is no log becomes a remark."""
    logs = Logs()
    for path, data in files.items():
        name = log_name(path)
        try:
            if name is not None and name.kind == "hist":
                logs.rows.append(read_rows(data))
            elif name is not None:
                columns = read_columns(data)
                logs.entries.setdefault(name.kind, []).append(columns)
        except OutputError as error:
            logs.remarks.append(f"{path}: {error}")
    logs.remarks += _dropped_lines([*logs.rows, *_flat(logs.entries)])
    return logs


def unnamed(data: bytes) -> Logs | None:
    """Parse a log without a name; None if it is no log.

    Raises: OutputError if the entries have no meaning without the name.
    """
    if is_histogram_log(data):
        return Logs(rows=(rows := [read_rows(data)]), remarks=_dropped_lines(rows))
    if not is_log(data):
        return None
    columns = read_columns(data)
    if columns.windows:
        raise OutputError(UNNAMED)
    # Every kind of log of single I/Os has an entry per I/O.
    return Logs({"iops": [columns]}, remarks=[COUNTED, *_dropped_lines([columns])])


def measurements(
    logs: Logs, version: str | None = None, latency_kind: LogKind = "lat"
) -> list[Measurement]:
    """Return one measurement per direction.

    `version`: of the fio of the result beside the logs; `latency_kind`: the latency that the
    result's percentiles describe.
    """
    unit = _unit(logs, version)
    result = _of_entries(logs, unit, latency_kind) if _flat(logs.entries) else []
    return _with_rows(result, logs.rows) if logs.rows else result


def _with_rows(measurements: Sequence[Measurement], rows: Sequence[Rows]) -> list[Measurement]:
    """Return measurements with percentiles over time from histogram logs.

    The distribution is taken from them only without a log of single I/Os.
    """
    grid, by_operation = grid_of(rows), {each.operation: each for each in measurements}
    for number, operation in enumerate(OPERATIONS):
        log = histogram_log.measure(operation, number, rows, grid)
        if log is None:
            continue
        existing = by_operation.get(operation)
        if existing is None or existing.histogram is None:
            series = [*(existing.series if existing else ()), *log.series]
            by_operation[operation] = dataclasses.replace(log, series=_once(series))
        else:
            by_operation[operation] = dataclasses.replace(
                existing, series=_once([*existing.series, *log.series])
            )
    return list(by_operation.values())


def _once(series: Sequence[Series]) -> list[Series]:
    """Return the first series of each metric."""
    return list({each.metric: each for each in reversed(series)}.values())[::-1]


def _of_entries(logs: Logs, unit: int, latency_kind: LogKind) -> list[Measurement]:
    entries = _flat(logs.entries)
    per_io = {kind: [log for log in each if not log.windows] for kind, each in logs.entries.items()}
    single_ios = _flat(per_io)
    if single_ios and len(single_ios) < len(entries):
        logs.remarks.append(MIXED)
    grid = grid_of(single_ios or entries)
    if grid.origin:
        logs.remarks.append(
            message("The logs' times are dates: they begin %(date)s.", date=_date(grid.origin))
        )
    result = [
        single.measure(operation, number, per_io, grid, unit, latency_kind)
        if single_ios
        else windows.measure(operation, number, logs.entries, grid, unit)
        for number, operation in enumerate(OPERATIONS)
    ]
    if not single_ios and _jobs_without_weights(logs):
        logs.remarks.append(NO_WEIGHTS)
    return [measurement for measurement in result if measurement is not None]


def _jobs_without_weights(logs: Logs) -> bool:
    """Return True if several jobs have mean latencies and not all of them have IOPS."""
    jobs = max(len(logs.entries.get(kind, ())) for kind in windows.TIMED)
    return jobs > 1 and len(logs.entries.get("iops", ())) != jobs


def _date(milliseconds: int) -> str:
    try:
        date = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{milliseconds} ms after 1970"
    return date.isoformat(" ", "milliseconds")


def _unit(logs: Logs, version: str | None) -> int:
    """Return the nanoseconds in a latency log's unit."""
    latencies = _flat({k: v for k, v in logs.entries.items() if k in ("lat", "clat", "slat")})
    if not latencies or any(log.layout.nanoseconds for log in latencies):
        return 1
    if version is None:
        logs.remarks.append(ASSUMED)
        return 1
    if not version.startswith(("1.", "2.")) or version.startswith("2.99"):
        return 1
    logs.remarks.append(MICROSECONDS.format(version))
    return 1000


def _flat(entries: Mapping[LogKind, Sequence[Columns]]) -> list[Columns]:
    return [log for logs in entries.values() for log in logs if log.time.size]


def _dropped_lines(logs: Sequence[Columns | Rows]) -> list[str]:
    foreign = sum(log.foreign for log in logs)
    text = gettext_noop("%(number)d lines are no entries of a log and were left out.")
    remarks: list[str] = [message(text, number=foreign)] if foreign else []
    if any(log.cut for log in logs):
        remarks.append("The last line of a log is cut off and was left out.")
    if any(isinstance(log, Rows) and log.coarseness for log in logs):
        worst = max(log.coarseness for log in logs if isinstance(log, Rows))
        remarks.append(
            message(
                "The histograms are coarse (log_hist_coarseness=%(worst)d): a latency is off by up "
                "to %(share)s.",
                worst=worst,
                share=f"{2**worst / 128:.0%}",
            )
        )
    return remarks
