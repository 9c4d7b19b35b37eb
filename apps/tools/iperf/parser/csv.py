"""iperf 2 -y C: a line a row, no heading (iperf 2: ReportCSV.c).

time, local address, local port, remote address, remote port, id, interval, bytes, bits per second;
for UDP also jitter in ms, lost, total, percent, out of order. The sum of parallel streams has the
id -1.
"""

from __future__ import annotations

import re

from apps.tools.base import OutputError, Parsed

from .iperf2 import NO_END, NO_TOTAL, flows
from .lines import Row
from .sections import Connection, Test
from .totals import NOTHING, measurement

LINE = re.compile(
    r"^(?:[+-]\d{4}:)?\d{14}(?:\.\d{1,9})?,[\w.:%-]{1,64},(?P<lport>\d{1,5}),[\w.:%-]{1,64},"
    r"(?P<rport>\d{1,5}),(?P<id>-?\d{1,6}),(?P<start>\d{1,9}\.\d{1,6})-(?P<end>\d{1,9}\.\d{1,6}),"
    r"(?P<bytes>\d{1,19}),(?P<bits>-?\d{1,19})"
    r"(?:,(?P<jitter>-?\d{1,12}\.\d{1,6}),(?P<lost>-?\d{1,12}),(?P<total>-?\d{1,12}),"
    r"[^,]{1,16},-?\d{1,12})?\s*$"
)


def parse_csv(text: str) -> Parsed:
    """Every row; a last line without its end is left out. Raises OutputError."""
    test = Test(generation=2)
    for line in text.split("\n")[:-1]:
        found = LINE.match(line[:500])
        if found:
            _add(test, found)
    if test.empty:
        raise OutputError("There is no whole line of iperf's CSV in this output.")
    found_flows, state = flows(test)
    moved = [flow for flow in found_flows if flow.bytes]
    if not moved:
        raise OutputError(NOTHING)
    warning = NO_END if state == "unknown" else NO_TOTAL
    measurements = tuple(measurement(flow) for flow in moved)
    return Parsed("iperf", "iperf2-csv", None, measurements, (warning,), state)


def _add(test: Test, found: re.Match[str]) -> None:
    """A row under the name of its connection: the server's port is below those that clients get."""
    local, remote = int(found["lport"]), int(found["rport"])
    name = "SUM" if found["id"] == "-1" else f"{local}-{remote}"
    told = found["total"] is not None and int(found["total"]) > 0
    if found["total"] is not None:
        test.protocol = "UDP"
    if name != "SUM":
        test.port = min(local, remote)
        test.connections[name] = Connection(local, remote)
    test.rows.append(
        Row(
            id=name,
            start=float(found["start"]),
            end=float(found["end"]),
            bytes=float(found["bytes"]),
            rate=max(0, int(found["bits"])) / 8,
            jitter=float(found["jitter"]) * 1e6 if told else None,
            lost=max(0, int(found["lost"])) if told else None,
            datagrams=int(found["total"]) if told else None,
        )
    )
