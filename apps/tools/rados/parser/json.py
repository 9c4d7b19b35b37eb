"""`rados bench --format json` and `json-pretty` (ceph: obj_bencher.cc): every figure is a text.

rados prints lines of its clean-up into the middle of the document; they are taken out. Of a
document that was cut off, the seconds before the cut are read.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from typing import Any

from apps.tools.text import as_text

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
    """The runs of one or several documents."""
    text = _CLEANUP.sub("", as_text(data))
    decoder = json.JSONDecoder()
    runs: list[RadosRun] = []
    match = START.search(text)
    while match:
        try:
            document, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            runs.append(_cut(text[match.start() :]))
            break
        runs.append(_run(document))
        match = START.search(text, end)
    return [run for run in runs if run.started]


def _run(document: Mapping[str, Any]) -> RadosRun:
    run = RadosRun()
    _header(run, document)
    seconds = document.get("datas")
    for second in seconds if isinstance(seconds, list) else ():
        _second(run, second)
    for name in _FIGURES:
        if name in document:
            run.figure(name, str(document[name]))
    if "total_writes_made" in run.figures:
        run.operation = "write"
    return run


def _cut(text: str) -> RadosRun:
    """The run in a document without its end."""
    run = RadosRun()
    head = text.partition('"datas"')[0].rstrip().rstrip(",")
    # A cut within the header leaves nothing known.
    with contextlib.suppress(ValueError, RecursionError):
        _header(run, json.loads(head + "}"))
    for match in _SECOND.finditer(text):
        try:
            _second(run, json.loads(match[0]))
        except ValueError:
            continue
    return run


def _header(run: RadosRun, document: Mapping[str, Any]) -> None:
    """Only a write says how it was asked."""
    if "concurrent_ios" not in document:
        return
    run.operation = "write"
    run.asked = figure(document.get("seconds_to_run"))
    names = {"concurrent_ios": "concurrency", "op_size": "op_size", "object_size": "object_size"}
    for key, name in names.items():
        try:
            run.params[name] = whole(document.get(key))
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
