"""Logs beside a result of the same fio: the result's totals with the logs' series."""

from __future__ import annotations

import dataclasses

from apps.tools.errors import OutputError
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.series.stalls import LARGEST_OF
from apps.tools.values import Values

from .reading import Logs, measurements

SEVERAL = "The logs' series are left out: the result has several groups of jobs."
COUNTS = "The {} logs have {:,} operations, the result has {:,}."


def logs_alone(logs: Logs) -> Parsed:
    """Return measurements of logs without a result.

    Logs have no end mark, so completeness is unknown. Raises: OutputError without any operation.
    """
    result = measurements(logs)
    if not result:
        raise OutputError(" ".join(["There is no operation in these logs.", *logs.remarks[:3]]))
    single = logs.entries and not any(each.windows for each in next(iter(logs.entries.values())))
    return Parsed(
        tool="fio",
        format="log" if single else "window log" if logs.entries else "histogram log",
        version=None,
        measurements=tuple(result),
        warnings=tuple(logs.remarks),
        completeness="unknown",
    )


def with_logs(parsed: Parsed, logs: Logs) -> Parsed:
    """Return the result with its logs' series, and with their histogram if it has none."""
    clat = any(each.values.get("percentiles_of") == "clat" for each in parsed.measurements)
    read = measurements(logs, parsed.version, "clat" if clat else "lat")
    by_operation = {each.operation: each for each in read}
    wholes = [each.operation for each in parsed.measurements if not each.component]
    remarks = list(logs.remarks)
    if len(set(wholes)) < len(wholes):
        remarks.append(SEVERAL)
        by_operation = {}
    merged = tuple(_merged(each, by_operation, remarks) for each in parsed.measurements)
    return dataclasses.replace(
        parsed, measurements=merged, warnings=(*parsed.warnings, *dict.fromkeys(remarks))
    )


def _merged(result: Measurement, logs: dict[str, Measurement], remarks: list[str]) -> Measurement:
    log = logs.get(result.operation)
    if log is None or result.component:
        return result
    metrics = {series.metric for series in log.series}
    series = (*log.series, *(each for each in result.series if each.metric not in metrics))
    counted, total = log.values.get("total_ios"), result.values.get("total_ios")
    same = counted is not None and counted == total
    if counted is not None and total is not None and not same:
        remarks.append(COUNTS.format(result.operation, counted, total))
    key = "percentiles_of"
    fits = same and result.values.get(key) in (None, log.values.get(key))
    histogram = log.histogram if result.histogram is None and fits else result.histogram
    values = _values(result, log) if "latency_max" in metrics else result.values
    return dataclasses.replace(result, series=series, histogram=histogram, values=values)


def _values(result: Measurement, log: Measurement) -> Values:
    """Return the result's values with `LARGEST_OF` of the log."""
    values = {name: value for name, value in result.values.items() if name != LARGEST_OF}
    return values | {name: log.values[name] for name in (LARGEST_OF,) if name in log.values}
