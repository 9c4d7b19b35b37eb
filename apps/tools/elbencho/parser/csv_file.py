"""Parse elbencho's CSV: a heading, then a row for each phase of each run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apps.tools.parse_result import Measurement
from apps.tools.text import parse_number
from apps.tools.values import Parameters, Values

from .figures import Phase, Rates, measurement_of

HEADING = "ISO date"
MAX_ROWS = 10_000
MAX_FIELD = 128 * 1024
# The heading up to the operation; a row that is cut off before the version is left out.
_COUNTS = {
    "threads": "threads",
    "hosts": "hosts",
    "IO depth": "iodepth",
    "file size": "file_size",
    "block size": "bs",
    "dirs": "dirs",
    "files": "files",
}
_FLAGS = {"direct IO": "direct", "random": "random"}
_NAME = re.compile(r"[A-Z][A-Z0-9_]{1,30}")


def read(text: str) -> tuple[list[Measurement], str | None]:
    """Return the measurements and the version of the last row."""
    results: list[Measurement] = []
    version: str | None = None
    for row in _rows(text):
        version = row.get("version") or version
        results += _measurements(row)
    return results, version


def _rows(text: str) -> Iterator[Mapping[str, str]]:
    """Yield whole rows by column.

    elbencho quotes no field; the command at the end holds quotes and commas of its own.
    """
    columns: list[str] = []
    for index, line in enumerate(text.split("\n")[:-1]):
        if index > MAX_ROWS or len(line) > MAX_FIELD:
            continue
        fields = line.rstrip("\r").split(",")
        if fields and fields[0] == HEADING:
            columns = fields
        elif columns and len(fields) >= len(columns):
            yield dict(zip(columns, fields, strict=False))


def _measurements(row: Mapping[str, str]) -> Iterator[Measurement]:
    name = row.get("operation", "")
    if not _NAME.fullmatch(name):
        return
    params = _params(row)
    mixed = any(_number(row, f"rwmix read {unit} [last]") for unit in ("IOPS", "MiB/s"))
    for operation, prefix in ((name.lower(), ""), ("read", "rwmix read ")):
        if prefix and not mixed:
            continue
        known = params | ({"mixed": True} if mixed else {})
        phase = Phase(
            operation,
            _rates(row, prefix, "last"),
            _rates(row, prefix, "first"),
            _latency(row, f"{prefix}IO lat us"),
            _latency(row, f"{prefix}Ent lat us"),
        )
        if measurement := measurement_of(phase, known, _more(row)):
            yield measurement


def _params(row: Mapping[str, str]) -> Parameters:
    params: Parameters = {}
    for column, name in _COUNTS.items():
        value = _number(row, column)
        if value:
            params[name] = int(value)
    for column, name in _FLAGS.items():
        if row.get(column) in ("0", "1"):
            params[name] = row[column] == "1"
    if row.get("path type"):
        params["path_type"] = row["path type"][:20]
    return params


def _more(row: Mapping[str, str]) -> Values:
    values: Values = {"label": row["label"][:200]} if row.get("label") else {}
    cpu, milliseconds = _number(row, "CPU% [last]"), _number(row, "time ms [last]")
    values |= {} if cpu is None else {"cpu_utilisation": cpu}
    return values | ({} if milliseconds is None else {"elapsed_seconds": milliseconds / 1000})


def _rates(row: Mapping[str, str], prefix: str, column: str) -> Rates:
    iops, mib, entries = (
        _number(row, f"{prefix}{unit} [{column}]") for unit in ("IOPS", "MiB/s", "entries/s")
    )
    return Rates(iops, mib, entries)


def _latency(row: Mapping[str, str], title: str) -> Mapping[str, float]:
    values = {name: _number(row, f"{title} [{name}]") for name in ("min", "avg", "max")}
    return {name: value for name, value in values.items() if value is not None}


def _number(row: Mapping[str, str], column: str) -> float | None:
    return parse_number(row.get(column, "")[:40])
