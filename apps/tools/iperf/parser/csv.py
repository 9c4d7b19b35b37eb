"""iperf 2 -y C: a line a row (iperf 2: Locale.c, reportCSV_...).

time, source address, source port, destination address, destination port, id, interval, bytes, bits
per second; then for UDP jitter in ms, lost, total, percent, out of order. 2.1.9 adds TCP's state
behind; with -e 2.2 prints a heading and the interval in two columns. The sum of parallel streams
has the id -1.
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
from .totals import NOTHING, Flow, Found, Result

LINE = re.compile(
    r"^(?:[+-]\d{4}:)?(?P<time>\d{14})(?:\.\d{1,9})?,(?P<local>[\w.:%-]{1,64}),(?P<lport>\d{1,5}),"
    r"(?P<remote>[\w.:%-]{1,64}),(?P<rport>\d{1,5}),(?P<id>-?\d{1,6}),(?P<start>\d{1,9}\.\d{1,6})[-,](?P<end>\d{1,9}\.\d{1,6}),"
    r"(?P<bytes>\d{1,19}),(?P<bits>-?\d{1,19})(?P<rest>(?:,-?[\w.]{1,24}){0,24})\s*$"
)
HEADING = re.compile(r"^time,srcaddress,srcport,dstaddr,dstport,transferid,(?P<names>[\w,]{1,300})")
_UDP = ("jitter", "errors", "datagrams")
_TCP = ("writecnt", "writeerr", "tcpretry", "tcpcwnd", "tcprtt", "tcprttvar")
# What iperf writes for "not known": -1, and the same as an unsigned number.
_NOT_KNOWN = ("-1", "4294967295")
# Linux gives clients ports from here on (net.ipv4.ip_local_port_range).
FIRST_OF_CLIENTS = 32_768
# Times are whole seconds, and connections of one test may begin a moment apart.
_OVERLAP = 0.5
_NO_TIME = "19700101"


def parse_csv(lines: Iterable[tuple[int, str]]) -> Found:
    """Every row, of lines with their numbers. Raises OutputError."""
    tests = [Test(generation=2)]
    names: Sequence[str] = ()
    for number, line in lines:
        if heading := HEADING.match(line):
            # The interval, bytes and speed come before what a kind of test has of its own.
            names = heading["names"].split(",")[4:]
        elif found := LINE.match(line[:500]):
            if _another(tests[-1], found) and len(tests) < MAX_TESTS:
                tests.append(Test(generation=2))
            if tests[-1].empty:
                tests[-1].began = _began(found)
            _add(tests[-1], found, _named(found["rest"], names))
            tests[-1].seen(number)
    if tests[-1].empty:
        raise OutputError("There is no whole line of iperf's CSV in this output.")
    results = [_result(test) for test in tests]
    if not any(result.flows for result in results):
        raise OutputError(NOTHING)
    return Found("iperf2-csv", None, results)


def _result(test: Test) -> Result:
    read, state, remarks = flows(test)
    remark = NO_TOTAL if state == "partial" else NO_END
    counted = read if test.reports else [_at_its_end(flow) for flow in read]
    return result_of(test, [_as_counted(flow) for flow in counted], state, [remark, *remarks])


def _another(test: Test, found: re.Match[str]) -> bool:
    """Whether a row begins another call's test: the number of a connection comes again with other
    ports, or a connection is new behind the sum of all.
    """
    local, remote, number = int(found["lport"]), int(found["rport"]), found["id"]
    known = {f"{local}-{remote}", f"{remote}-{local}"} & test.connections.keys()
    if number == "-1" or known or not remote:
        return False
    summed = bool(test.rows) and test.rows[-1].total
    return summed or number in test.numbers or _over(test) or _later(test, found)


def _over(test: Test) -> bool:
    """Whether the last row is the total behind intervals: parallel streams show theirs before."""
    return bool(test.rows) and test.rows[-1].id in test.closed


def _later(test: Test, found: re.Match[str]) -> bool:
    """Whether a new connection began when the test was over. Some versions print no time."""
    began, end = _began(found), test.rows[-1].end if test.rows else 0.0
    return test.began is not None and began is not None and began >= test.began + end - _OVERLAP


def _began(found: re.Match[str]) -> float | None:
    """The seconds since 1970 at which the test of a row began."""
    text = found["time"]
    if text.startswith(_NO_TIME):
        return None
    month, day, hour, minute, second = (int(text[i : i + 2]) for i in range(4, 14, 2))
    try:
        printed = datetime(int(text[:4]), month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return None
    return printed - float(found["end"])


def _named(rest: str, names: Sequence[str]) -> Mapping[str, str]:
    """The columns behind the rate, as the heading or their number says what they are."""
    values = rest.split(",")[1:]
    if not names:
        names = _UDP if values and "." in values[0] else _TCP
    return dict(zip(names, values, strict=False))


def _add(test: Test, found: re.Match[str], more: Mapping[str, str]) -> None:
    """A row under the name of its connection. The same connection of UDP the other way round is
    the server's report.
    """
    local, remote = int(found["lport"]), int(found["rport"])
    # The way back of a full-duplex connection has no port of its own at a client.
    number = "" if remote else f"-{found['id']}"
    name = "SUM" if found["id"] == "-1" else f"{local}-{remote}{number}"
    turned = f"{remote}-{local}"
    report = "jitter" in more and turned in test.connections
    if "jitter" in more:
        test.protocol = "UDP"
    if name in test.connections and float(found["start"]) < SLACK:
        test.closed.add(name)
    if name != "SUM" and not report:
        test.port = _server_port(test, local, remote)
        ends = Connection(local, remote)
        ends.local_host, ends.remote_host = found["local"], found["remote"]
        ends.reverse = _turned(test, ends)
        test.connections[name] = ends
        test.numbers.add(found["id"])
        test.host = test.host or (found["remote"] if remote == test.port else found["local"])
        if ends.reverse:
            test.stated["dualtest"] = True
    datagrams = _count(more, "datagrams")
    trip = _count(more, "tcprtt")
    rows = test.reports if report else test.rows
    rows.append(
        IntervalRow(
            id=turned if report else name,
            start=float(found["start"]),
            end=float(found["end"]),
            bytes=float(found["bytes"]),
            rate=max(0, int(found["bits"])) / 8,
            retransmits=_count(more, "tcpretry"),
            jitter=_milliseconds(more, "jitter") if datagrams else None,
            lost=_count(more, "errors") if datagrams else None,
            datagrams=datagrams or None,
            round_trip=1000.0 * trip if trip else None,
        )
    )


def _turned(test: Test, ends: Connection) -> bool:
    """Whether the server calls back (-d, -r): it is the host that the first connection goes to."""
    first = next(iter(test.connections.values()), None)
    if first is None or not ends.remote:
        return False
    hosts = (first.remote_host, first.local_host)
    return hosts[0] != hosts[1] and (ends.local_host, ends.remote_host) == hosts


def _server_port(test: Test, local: int, remote: int) -> int:
    """The port of the server: the one that all connections of a test share, else the one below
    those that clients get.
    """
    before = next(iter(test.connections.values()), None)
    shared = {local, remote} & ({before.local, before.remote} if before else set())
    if len(shared) == 1:
        return shared.pop()
    lower = min(local, remote) or max(local, remote)
    return lower if lower < FIRST_OF_CLIENTS else remote


def _count(more: Mapping[str, str], name: str) -> int | None:
    """A whole number that iperf knew."""
    text = more.get(name, "")
    if text in _NOT_KNOWN or not text.lstrip("-").isdecimal() or len(text) > 15:
        return None
    return max(0, int(text))


def _milliseconds(more: Mapping[str, str], name: str) -> float | None:
    """In ns."""
    found = re.fullmatch(r"-?\d{1,12}\.\d{1,6}", more.get(name, ""))
    return float(found[0]) * 1e6 if found else None


def _at_its_end(flow: Flow) -> Flow:
    """Both ends print a row the same way; of UDP only the receiver's total counts datagrams."""
    if flow.protocol != "udp":
        return flow
    counts = any(row.datagrams is not None for row in flow.streams)
    return replace(flow, operation="receive" if counts else "send")


def _as_counted(flow: Flow) -> Flow:
    """A sender's columns for jitter and loss are there, but it knows neither."""
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
