"""fio's terse output, versions 3 and 4: one line of semicolon-separated figures a job (HOWTO,
"Terse output").

Rates are KiB/s, latencies microseconds, run times milliseconds. Version 4 adds the trim direction.
"""

from __future__ import annotations

import re

from apps.tools.base import JSON, Latency, OutputError, Parsed
from apps.tools.text import as_text

from .direction import Part, Phase
from .totals import measurement

LINE = re.compile(r"^\s*(?P<format>[34]);fio-(?P<version>[\w.-]{1,40});", re.MULTILINE)
_DIRECTIONS = {"3": ("read", "write"), "4": ("read", "write", "trim")}
_HEAD = 5
_WIDTH = 41
_PERCENTILES = 20
MAX_LINES = 10_000


def parse_terse(data: bytes) -> Parsed:
    """Read terse lines. Raises OutputError where none is complete."""
    lines = [line.strip() for line in as_text(data).split("\n") if LINE.match(line)]
    groups: dict[tuple[str, str], list[Part]] = {}
    failures: list[str] = []
    complete = 0
    for line in lines[:MAX_LINES]:
        fields = line.split(";")
        if len(fields) < _length(fields[0]):
            continue
        complete += 1
        if fields[4] != "0":
            failures.append(f"fio reports error {fields[4][:10]}.")
        for operation, part in _parts(fields).items():
            groups.setdefault((fields[3], operation), []).append(part)
    if not groups:
        raise OutputError("There is no complete terse line of fio with any operation.")
    short = ["The output is cut off."] if complete < len(lines) else []
    match = LINE.match(lines[0])
    return Parsed(
        tool="fio",
        format="terse",
        version=match["version"] if match else None,
        measurements=tuple(
            measurement(operation, parts, {}, {}, []) for (_, operation), parts in groups.items()
        ),
        warnings=(*failures, *short),
        completeness="partial" if failures or short else "whole",
    )


def _length(version: str) -> int:
    """Fields up to the last latency bucket; disks follow and may be missing."""
    return _HEAD + _WIDTH * len(_DIRECTIONS[version]) + 5 + 7 + 10 + 12


def _parts(fields: list[str]) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for index, operation in enumerate(_DIRECTIONS[fields[0]]):
        start = _HEAD + index * _WIDTH
        part = _part(fields[2][:100], fields[start : start + _WIDTH])
        if part is not None:
            parts[operation] = part
    return parts


def _part(job: str, fields: list[str]) -> Part | None:
    kibibytes, rate, iops, runtime = (_number(text) or 0.0 for text in fields[:4])
    if not kibibytes:
        return None
    seconds = runtime / 1000
    percentiles = _percentiles(fields[12 : 12 + _PERCENTILES])
    return Part(
        job=job,
        operations=0,
        transferred=int(kibibytes * 1024),
        runtime=seconds,
        bandwidth=kibibytes * 1024 / seconds if seconds else rate * 1024,
        iops=iops,
        phases={
            "slat": _phase(fields[4:8], {}),
            "clat": _phase(fields[8:12], percentiles),
            "lat": _phase(fields[32:36], {}),
        },
        values={"printed": {"bandwidth": rate * 1024, "iops": iops}} | _samples(fields[36:41]),
    )


def _phase(fields: list[str], percentiles: dict[str, float]) -> Phase:
    smallest, largest, mean, deviation = (_number(text) for text in fields)
    scaled = [
        None if value is None else round(value * 1000, 6)
        for value in (smallest, mean, largest, deviation)
    ]
    return Phase(Latency(scaled[0], scaled[1], scaled[2], scaled[3], percentiles))


def _percentiles(fields: list[str]) -> dict[str, float]:
    """ "99.500000%=4014" -> {"99.5": 4014000.0}; unused places are "0%=0"."""
    found: dict[str, float] = {}
    for text in fields:
        name, _, value = text.partition("%=")
        percentage, latency = _number(name), _number(value)
        if percentage and latency is not None and percentage <= 100:
            found[f"{percentage:.6f}".rstrip("0").rstrip(".")] = latency * 1000
    return found


def _samples(fields: list[str]) -> JSON:
    """Bandwidth over time: min, max, share of the group, mean, deviation."""
    names = ("min", "max", "", "mean", "stddev")
    found = {name: _number(text) for name, text in zip(names, fields, strict=True) if name}
    return {
        f"bandwidth_{name}": round(value * 1024, 6)
        for name, value in found.items()
        if value is not None
    }


def _number(text: str) -> float | None:
    """A plain number of at most 30 characters."""
    match = re.fullmatch(r"\d{1,18}(\.\d{1,12})?", text.strip()[:40].removesuffix("%"))
    return float(match[0]) if match else None
