"""Parse IOMeter's results file into a measurement of the reads and of the writes of each test.

The row ALL is the total; managers, workers and targets are in `values["parts"]`. Response times are
milliseconds. "MBps" is 2^20 bytes/s in files with one kind only, and "MBps (Binary)" or "MiBps
(Binary)" in later ones. Bandwidth is exact if all operations have one size: IOPS x size; the
printed value is in `values["printed"]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from apps.tools.errors import OutputError
from apps.tools.parse_result import Completeness, Latency, Measurement, Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, count, parse_number
from apps.tools.values import Parameters, Values

from .sections import Access, Test, read

MIB = 1024**2
MS = 1_000_000
_BUCKET = re.compile(r"^(?:[\d.]+ to [\d.]+|>= [\d.]+) [um]?s$")
_BANDWIDTHS = ("{}mibps (binary)", "{}mbps (binary)", "{}mbps")
_CPU = {"% cpu utilization": "cpu_utilisation", "% user time": "cpu_user"}
_COUNTS = {"# managers": "managers", "# workers": "workers", "# disks": "targets"}
OPERATIONS = ("read", "write")
ROUNDING = 0.03
CUT = "IOMeter's end mark ('End Test) is missing: the test was stopped or the file is cut off."


def parse_output(output: Output) -> Parsed:
    """Parse an import's "stdout".

    Raises: OutputError.
    """
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise OutputError("The file is empty.")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    file = read(data)
    results = [each for test in file.tests for each in _measurements(test)]
    if not results:
        raise OutputError("There is no result of IOMeter with any I/O in this file.")
    errors = sum(_number(test.total, "errors") or 0 for test in file.tests)
    warnings = [f"IOMeter counted {errors:.0f} failed operations."] if errors else []
    state: Completeness = "whole" if file.ended else "partial"
    return Parsed(
        tool="iometer",
        format="csv",
        version=file.version,
        measurements=tuple(results),
        warnings=tuple(warnings if file.ended else [*warnings, CUT]),
        completeness=state,
    )


def _measurements(test: Test) -> list[Measurement]:
    params = _params(test)
    values = _values(test)
    results = []
    for operation in OPERATIONS:
        iops = _number(test.total, f"{operation} iops")
        if not iops:
            continue
        numbers = {"ios": _number(test.total, f"{operation} i/os")}
        numbers["bytes"] = _number(
            test.total, f"bytes {'read' if operation == 'read' else 'written'}"
        )
        numbers["errors"] = _number(test.total, f"{operation} errors")
        printed = {"bandwidth": _bandwidth(test.total, f"{operation} "), "iops": iops}
        present = {name: value for name, value in numbers.items() if value is not None}
        parts = [_part(row, operation) for row in test.parts]
        active = [part for part in parts if part["iops"] is not None]
        results.append(
            Measurement(
                operation,
                _exact(_bandwidth(test.total, f"{operation} "), iops, count(params.get("bs"))),
                iops,
                _latency(test.total, f"{operation} "),
                params,
                {**present, **values, "parts": active, "printed": printed},
            )
        )
    return results


def _exact(printed: float | None, iops: float, size: int | None) -> float | None:
    """Return IOPS x size, or the printed value if the two differ by more than rounding."""
    product = iops * size if size else None
    if product is None or printed is None:
        return printed
    return product if abs(product - printed) <= ROUNDING * printed else printed


def _params(test: Test) -> Parameters:
    """Return the name of the access specification, and its values if it has one line."""
    name = test.total.get("access specification name", "")
    params: Parameters = {"access_specification": name[:200]}
    lines = test.specifications.get(name, [])
    if len(lines) == 1:
        params |= _access(lines[0])
    for column, param in {**_COUNTS, "queue depth": "queue_depth"}.items():
        value = _number(test.total, column)
        if value is not None:
            params[param] = int(value)
    return params


def _access(line: Access) -> Parameters:
    return {"bs": line.size, "reads": line.reads, "random": line.random}


def _values(test: Test) -> Values:
    """Return values of reads and writes together: sums, CPU, and latencies by bucket."""
    total = test.total
    values: Values = {
        "total": {
            "iops": _number(total, "iops"),
            "bandwidth": _bandwidth(total, ""),
            "latency_mean": _latency(total, "").mean,
            "latency_max": _latency(total, "").max,
        }
    }
    for column, name in _CPU.items():
        value = _number(total, column)
        values |= {} if value is None else {name: value}
    buckets = {name: _number(total, name) for name in total if _BUCKET.match(name)}
    lines = test.specifications.get(total.get("access specification name", ""), [])
    if len(lines) > 1:
        values["access"] = [_access(line) | {"share": line.share} for line in lines]
    return values | ({"latency_buckets": buckets} if buckets else {})


def _part(row: Mapping[str, str], operation: str) -> Values:
    latency = _latency(row, f"{operation} ")
    return {
        "type": row.get("target type", "")[:40],
        "name": row.get("target name", "")[:200],
        "iops": _number(row, f"{operation} iops"),
        "bandwidth": _bandwidth(row, f"{operation} "),
        "latency_mean": latency.mean,
        "latency_max": latency.max,
        "queue_depth": _number(row, "queue depth"),
        "errors": _number(row, f"{operation} errors"),
    }


def _latency(row: Mapping[str, str], kind: str) -> Latency:
    mean = _number(row, f"average {kind}response time")
    largest = _number(row, f"maximum {kind}response time")
    return Latency(mean=_ns(mean), max=_ns(largest))


def _ns(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds * MS, 3)


def _bandwidth(row: Mapping[str, str], kind: str) -> float | None:
    for pattern in _BANDWIDTHS:
        binary = _number(row, pattern.format(kind))
        if binary is not None:
            return binary * MIB
    decimal = _number(row, f"{kind}mbps (decimal)")
    return None if decimal is None else decimal * 1e6


def _number(row: Mapping[str, str], column: str) -> float | None:
    """Return a value of a row; None for a blank field, other text, and IOMeter's -1 (ambiguous)."""
    return parse_number(row.get(column, "")[:40])
