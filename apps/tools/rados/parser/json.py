"""Parse `rados bench --format json` and `json-pretty` (ceph: obj_bencher.cc): all values are text.

rados prints lines of its clean-up into the middle of the document; they are removed. From a
truncated document the complete seconds are parsed.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from typing import Any

from apps.tools.text import as_text

from .call import RadosCall, calls_of
from .run import RadosRun, SecondRow, figure, whole

START = re.compile(r'\{\s*"(?:concurrent_ios|datas)"\s*:')
_CLEANUP = re.compile(
    r"(?:\d{4}-\d\d-\d\d[T ][\d:.+-]{8,30} )?"
    r"(?:Cleaning up \([^\n]{0,100}|Removed \d{1,18} objects|Clean up completed[^\n]{0,100})"
)
_SECOND = re.compile(r'\{\s*"sec"[^{}]{1,1000}\}')
_FIGURES = (
    *("total_time_run", "total_writes_made", "total_reads_made"),
    *("write_size", "read_size", "object_size"),
    *("bandwidth", "stddev_bandwidth", "max_bandwidth", "min_bandwidth"),
    *("average_iops", "stddev_iops", "max_iops", "min_iops"),
    *("average_latency", "stddev_latency", "max_latency", "min_latency"),
)


def read_json(data: bytes) -> list[RadosRun]:
    """Return the runs of one or several documents."""
    text = _CLEANUP.sub("", as_text(data))
    decoder = json.JSONDecoder()
    runs: list[RadosRun] = []
    end, number = 0, 1
    waiting: list[RadosCall] = []
    while match := START.search(text, end):
        run = RadosRun()
        waiting = _calls(text[end : match.start()], number, run) or waiting
        if waiting:
            run.called(waiting.pop(0))
        number += text.count("\n", end, match.start())
        run.at(number)
        runs.append(run)
        try:
            document, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            _truncated(run, text[match.start() :])
            run.at(number + text.rstrip().count("\n", match.start()))
            break
        _parse(run, document)
        number += text.count("\n", match.start(), end)
        run.at(number)
    return [run for run in runs if run.started]


def _calls(before: str, number: int, run: RadosRun) -> list[RadosCall]:
    """Return the calls of the last command line before a run's document; several of a loop.

    `number`: line number of the start of `before`.
    """
    lines = before.split("\n")
    for index in range(len(lines) - 1, -1, -1):
        if calls := calls_of(lines[index]):
            run.at(number + index)
            return calls
    return []


def _parse(run: RadosRun, document: Mapping[str, Any]) -> None:
    _header(run, document)
    seconds = document.get("datas")
    for second in seconds if isinstance(seconds, list) else ():
        _second(run, second)
    for name in _FIGURES:
        if name in document:
            run.figure(name, str(document[name]))
    if "total_writes_made" in run.figures:
        run.operation = "write"


def _truncated(run: RadosRun, text: str) -> None:
    """Parse the readable part of a truncated document."""
    head = text.partition('"datas"')[0].rstrip().rstrip(",")
    # A document truncated in its header has no parameters.
    with contextlib.suppress(ValueError, RecursionError):
        _header(run, json.loads(head + "}"))
    for match in _SECOND.finditer(text):
        try:
            _second(run, json.loads(match[0]))
        except ValueError:
            continue


def _header(run: RadosRun, document: Mapping[str, Any]) -> None:
    """Parse the requested parameters; only the document of a write has them."""
    if "concurrent_ios" not in document:
        return
    run.operation = "write"
    run.requested_seconds = figure(document.get("seconds_to_run"))
    names = {"concurrent_ios": "threads", "op_size": "bs", "object_size": "object_size"}
    for key, name in names.items():
        try:
            run.update_params({name: whole(document.get(key))})
        except ValueError:
            continue


def _second(run: RadosRun, second: Any) -> None:
    if not isinstance(second, Mapping):
        return
    try:
        number, finished = whole(second.get("sec")), whole(second.get("finished"))
    except ValueError:
        return
    average, current, latency = (figure(second.get(n)) for n in ("avg_bw", "cur_bw", "avg_lat"))
    run.add(SecondRow(number, finished, average, current, latency))
