"""Parse iostat -o JSON (sysstat 11.5.1 and later): one document with its reports in `statistics`.

iostat closes the document at its end. A killed iostat leaves it open (before sysstat 12.5 also
after Ctrl-C); its complete reports are then parsed and marked as partial.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from apps.tools.errors import OutputError

from .columns import COLUMNS, JSON_NAMES, DeviceValues, canonical
from .reports import Reports

START = re.compile(r'\{\s*"sysstat"\s*:\s*\{')
_NODE = re.compile(r'"nodename"\s*:\s*"([^"\n]{1,64})"')
CUT = "The JSON is cut off: reports that were written in full are kept."
_DISK = re.compile(r'"disk"\s*:\s*\[')
_OBJECT = re.compile(r'\{[^{}"]{0,20}"disk_device"[^{}]{0,2000}\}')
_CLOCK = re.compile(r"(\d{1,2}):(\d{2}):(\d{2})")


def parse_json(text: str) -> list[Reports]:
    """Return the recordings: one of each host of each document.

    Raises: OutputError.
    """
    recordings: list[Reports] = []
    decoder = json.JSONDecoder()
    end, number = 0, 1
    while start := START.search(text, end):
        number += text.count("\n", end, start.start())
        try:
            document, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            recordings.append(_salvaged(text[start.start() :]))
            recordings[-1].at(number)
            recordings[-1].at(number + text.rstrip().count("\n", start.start()))
            break
        first, number = number, number + text.count("\n", start.start(), end)
        for recording in _whole(document):
            recording.first, recording.last = first, number
            recordings.append(recording)
    if not recordings:
        raise OutputError("There is no JSON of iostat in this output.")
    return recordings


def _whole(document: Any) -> Iterator[Reports]:
    for host in _list(document.get("sysstat"), "hosts"):
        name = host.get("nodename") if isinstance(host, dict) else None
        reports = Reports(boot=True, completeness="whole")
        reports.host = name[:64] if isinstance(name, str) else ""
        times: list[int] = []
        for statistic in _list(host, "statistics"):
            reports.begin()
            times += _clock(statistic)
            for disk in _list(statistic, "disk"):
                _add(reports, disk)
        steps = [(b - a) % 43_200 for a, b in pairwise(times)]
        reports.interval = float(sorted(steps)[len(steps) // 2]) or None if steps else None
        yield reports


def _list(holder: Any, name: str) -> list[Any]:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, list) else []


def _clock(statistic: Any) -> Iterable[int]:
    timestamp = statistic.get("timestamp") if isinstance(statistic, dict) else None
    match = _CLOCK.search(timestamp) if isinstance(timestamp, str) else None
    return [int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])] if match else []


def _add(reports: Reports, disk: Any) -> None:
    if not isinstance(disk, dict) or not isinstance(disk.get("disk_device"), str):
        return
    row: DeviceValues = {}
    for name, raw in disk.items():
        column = COLUMNS.get(JSON_NAMES.get(str(name), str(name)))
        value = canonical(column, raw) if column is not None else None
        if column is not None and value is not None:
            row[column.key] = value
    reports.add(disk["disk_device"][:64], row)


def _salvaged(text: str) -> Reports:
    """Parse the complete devices of a truncated document: each is a flat object."""
    reports = Reports(boot=True, completeness="partial", remarks=(CUT,))
    if name := _NODE.search(text):
        reports.host = name[1]
    for report in _DISK.split(text)[1:]:
        reports.begin()
        for match in _OBJECT.finditer(report):
            try:
                _add(reports, json.loads(match[0]))
            except (ValueError, RecursionError):
                continue
    return reports
