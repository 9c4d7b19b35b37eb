"""Parse iperf 2 -y C: a row per line (iperf 2: Locale.c, reportCSV_...).

The columns are time, source address, source port, destination address, destination port, id,
interval, bytes and bits per second. For UDP follow jitter in ms, lost, total, percent, and out of
order. 2.1.9 appends TCP's state; with -e 2.2 prints a heading and the interval in two columns. The
sum of parallel streams has the id -1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from apps.tools.errors import OutputError

from .calls import SLACK, Connection, Test
from .iperf2 import NO_END, NO_TOTAL, flows
from .results import result_of
from .sections import MAX_TESTS
from .text_rows import IntervalRow
from .totals import NOTHING, EndResult, Flow, Result

LINE = re.compile(
    r"^(?:[+-]\d{4}:)?(?P<time>\d{14})(?:\.\d{1,9})?,(?P<local>[\w.:%-]{1,64}),(?P<lport>\d{1,5}),"
    r"(?P<remote>[\w.:%-]{1,64}),(?P<rport>\d{1,5}),(?P<id>-?\d{1,6}),(?P<start>\d{1,9}\.\d{1,6})[-,](?P<end>\d{1,9}\.\d{1,6}),"
    r"(?P<bytes>\d{1,19}),(?P<bits>-?\d{1,19})(?P<rest>(?:,-?[\w.]{1,24}){0,24})\s*$"
)
HEADING = re.compile(r"^time,srcaddress,srcport,dstaddr,dstport,transferid,(?P<names>[\w,]{1,300})")
_UDP = ("jitter", "errors", "datagrams")
_TCP = ("writecnt", "writeerr", "tcpretry", "tcpcwnd", "tcprtt", "tcprttvar")
# Unknown values in iperf's CSV: -1, and the same as an unsigned number.
_UNKNOWN = ("-1", "4294967295")
# First port of clients on Linux (net.ipv4.ip_local_port_range).
FIRST_OF_CLIENTS = 32_768
# Times are whole seconds, and connections of one test may begin at slightly different times.
_OVERLAP = 0.5
_NO_TIME = "19700101"


def is_csv_line(line: str) -> bool:
    """Return True if this is a heading or a row of iperf's CSV."""
    return bool(LINE.match(line) or HEADING.match(line))


def parse_csv(lines: Iterable[tuple[int, str]]) -> EndResult:
    """Parse every row of numbered lines.

    Raises: OutputError.
    """
    tests = [Test(generation=2)]
    names: Sequence[str] = ()
    for number, line in lines:
        if heading := HEADING.match(line):
            # The interval, bytes and speed precede the columns of a kind of test.
            names = heading["names"].split(",")[4:]
        elif match := LINE.match(line[:500]):
            if _another(tests[-1], match) and len(tests) < MAX_TESTS:
                tests.append(Test(generation=2))
            if tests[-1].empty:
                tests[-1].began = _began(match)
            _add(tests[-1], match, _named(match["rest"], names))
            tests[-1].seen(number)
    if tests[-1].empty:
        raise OutputError("There is no whole line of iperf's CSV in this output.")
    results = [_result(test) for test in tests]
    if not any(result.flows for result in results):
        raise OutputError(NOTHING)
    return EndResult("iperf2-csv", None, results)


def _result(test: Test) -> Result:
    read, state, remarks = flows(test)
    remark = NO_TOTAL if state == "partial" else NO_END
    counted = read if test.reports else [_with_operation(flow) for flow in read]
    return result_of(test, [_as_counted(flow) for flow in counted], state, [remark, *remarks])


def _another(test: Test, match: re.Match[str]) -> bool:
    """Return True if a row begins the test of another call.

    The id of a connection then occurs with other ports, or a connection is new after the sum of
    all.
    """
    local, remote, number = int(match["lport"]), int(match["rport"]), match["id"]
    known_names = {f"{local}-{remote}", f"{remote}-{local}"} & test.connections.keys()
    if number == "-1" or known_names or not remote:
        return False
    summed = bool(test.rows) and test.rows[-1].total
    return summed or number in test.numbers or _over(test) or _later(test, match)


def _over(test: Test) -> bool:
    """Return True if the last row is the total after intervals.

    Parallel streams print their total earlier.
    """
    return bool(test.rows) and test.rows[-1].id in test.closed


def _later(test: Test, match: re.Match[str]) -> bool:
    """Return True if a new connection began after the test. Some versions print no time."""
    began, end = _began(match), test.rows[-1].end if test.rows else 0.0
    return test.began is not None and began is not None and began >= test.began + end - _OVERLAP


def _began(match: re.Match[str]) -> float | None:
    """Return the start of a row's test in seconds since 1970."""
    text = match["time"]
    if text.startswith(_NO_TIME):
        return None
    month, day, hour, minute, second = (int(text[i : i + 2]) for i in range(4, 14, 2))
    try:
        printed = datetime(int(text[:4]), month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return None
    return printed - float(match["end"])


def _named(rest: str, names: Sequence[str]) -> Mapping[str, str]:
    """Return the columns after the rate, by the heading or by their number."""
    values = rest.split(",")[1:]
    if not names:
        names = _UDP if values and "." in values[0] else _TCP
    return dict(zip(names, values, strict=False))


def _add(test: Test, match: re.Match[str], more: Mapping[str, str]) -> None:
    """Add a row under the name of its connection.

    A row of the same UDP connection in the other direction is the server's report.
    """
    local, remote = int(match["lport"]), int(match["rport"])
    # The reverse direction of a full-duplex connection has no separate port at a client.
    number = "" if remote else f"-{match['id']}"
    name = "SUM" if match["id"] == "-1" else f"{local}-{remote}{number}"
    reversed_name = f"{remote}-{local}"
    report = "jitter" in more and reversed_name in test.connections
    if "jitter" in more:
        test.protocol = "UDP"
    if name in test.connections and float(match["start"]) < SLACK:
        test.closed.add(name)
    if name != "SUM" and not report:
        test.port = _server_port(test, local, remote)
        ends = Connection(local, remote)
        ends.local_host, ends.remote_host = match["local"], match["remote"]
        ends.reverse = _is_callback(test, ends)
        test.connections[name] = ends
        test.numbers.add(match["id"])
        test.host = test.host or (match["remote"] if remote == test.port else match["local"])
        if ends.reverse:
            test.stated["dualtest"] = True
    datagrams = _count(more, "datagrams")
    round_trip = _count(more, "tcprtt")
    rows = test.reports if report else test.rows
    rows.append(
        IntervalRow(
            id=reversed_name if report else name,
            start=float(match["start"]),
            end=float(match["end"]),
            bytes=float(match["bytes"]),
            rate=max(0, int(match["bits"])) / 8,
            retransmits=_count(more, "tcpretry"),
            jitter=_milliseconds(more, "jitter") if datagrams else None,
            lost=_count(more, "errors") if datagrams else None,
            datagrams=datagrams or None,
            round_trip=1000.0 * round_trip if round_trip else None,
        )
    )


def _is_callback(test: Test, ends: Connection) -> bool:
    """Return True if the server connects back (-d, -r): the first connection goes to its host."""
    first = next(iter(test.connections.values()), None)
    if first is None or not ends.remote:
        return False
    hosts = (first.remote_host, first.local_host)
    return hosts[0] != hosts[1] and (ends.local_host, ends.remote_host) == hosts


def _server_port(test: Test, local: int, remote: int) -> int:
    """Return the port of the server.

    It is the port shared by all connections of a test, else the one below the range of clients.
    """
    before = next(iter(test.connections.values()), None)
    shared = {local, remote} & ({before.local, before.remote} if before else set())
    if len(shared) == 1:
        return shared.pop()
    lower = min(local, remote) or max(local, remote)
    return lower if lower < FIRST_OF_CLIENTS else remote


def _count(more: Mapping[str, str], name: str) -> int | None:
    """Return a whole number; None if iperf has no value."""
    text = more.get(name, "")
    if text in _UNKNOWN or not text.lstrip("-").isdecimal() or len(text) > 15:
        return None
    return max(0, int(text))


def _milliseconds(more: Mapping[str, str], name: str) -> float | None:
    """Convert a value in ms to ns."""
    match = re.fullmatch(r"-?\d{1,12}\.\d{1,6}", more.get(name, ""))
    return float(match[0]) * 1e6 if match else None


def _with_operation(flow: Flow) -> Flow:
    """Return the flow with its operation; only a receiver's UDP total counts datagrams."""
    if flow.protocol != "udp":
        return flow
    counts = any(row.datagrams is not None for row in flow.streams)
    return replace(flow, operation="receive" if counts else "send")


def _as_counted(flow: Flow) -> Flow:
    """Return the flow without a sender's columns for jitter and loss, which have no values."""
    if flow.operation != "send":
        return flow
    return replace(
        flow,
        streams=[_bare(row) for row in flow.streams],
        total=_bare(flow.total) if flow.total else None,
        intervals=[_bare(row) for row in flow.intervals],
    )


def _bare(row: IntervalRow) -> IntervalRow:
    return replace(row, jitter=None, lost=None, datagrams=None)
