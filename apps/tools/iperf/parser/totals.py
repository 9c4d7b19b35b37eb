"""Convert rows of one direction to one measurement: total, streams and series.

Both directions of a test give their sum as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.iperf.identity import determining_params
from apps.tools.parse_result import Completeness, Measurement
from apps.tools.values import Figure, Parameters, Values

from .intervals import joined, mean_of, rate_of, series, sum_of
from .text_rows import IntervalRow

MAX_PARTS = 256
NOTHING = "iperf reported a test without a single byte."
_WORST: tuple[Completeness, ...] = ("partial", "unknown")


@dataclass(frozen=True)
class Flow:
    """Traffic in one direction as counted by one end.

    - `streams`: a row for each connection.
    - `total`: iperf's sum.
    - `intervals`: rows in time, of the sum if there are several streams.
    - `parallel`: number of streams if it is not the number of rows; 0 if unknown.
    """

    operation: str
    direction: str
    protocol: str
    streams: Sequence[IntervalRow]
    total: IntervalRow | None = None
    intervals: Sequence[IntervalRow] = ()
    values: Mapping[str, Figure] = field(default_factory=dict)
    parallel: int | None = None

    @property
    def bytes(self) -> float:
        """Return the bytes of all streams."""
        return self.total.bytes if self.total else sum(row.bytes for row in self.streams)

    @property
    def connections(self) -> int:
        """Return the number of streams; 0 if unknown."""
        return len(self.streams) if self.parallel is None else self.parallel

    @property
    def rows(self) -> Sequence[IntervalRow]:
        """Return the rows of the whole: iperf's sum, else every stream."""
        return [self.total] if self.total else self.streams


@dataclass(frozen=True)
class Result:
    """One test as printed by one end.

    - `params`: parameters in the output.
    - `target`: the server's host.
    - `client`: the client's host, if a server prints it.
    - `unread`: options of the command that may change the test and are no parameters.
    - `lines`: first and last line.
    - `headed`: the text has the lines above the values, which contain the direction.
    """

    flows: Sequence[Flow]
    params: Parameters
    completeness: Completeness
    warnings: tuple[str, ...] = ()
    target: str = ""
    client: str = ""
    unread: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None
    headed: bool = True

    @property
    def path(self) -> str:
        """Return the server's host; in a server's output both ends, because it has many clients."""
        return " → ".join(host for host in (self.client, self.target) if host)


@dataclass(frozen=True)
class EndResult:
    """Content of one end's output. `warnings`: remarks outside its tests."""

    format: str
    version: str | None
    tests: Sequence[Result]
    warnings: Sequence[str] = ()

    @property
    def completeness(self) -> Completeness:
        """Return the worst completeness of the tests."""
        states = {test.completeness for test in self.tests}
        return next((state for state in _WORST if state in states), "whole")


def at_rate_of_intervals(flow: Flow) -> Flow:
    """Return the flow with the rate of its intervals.

    A server divides the bytes of a disconnected client by the time of the last whole interval.
    """
    rate = joined(flow.intervals).rate if flow.intervals else None
    total = flow.total and replace(flow.total, rate=rate, printed=None)
    single = rate if len(flow.streams) == 1 else None
    streams = [replace(row, rate=single, printed=None) for row in flow.streams]
    return replace(flow, streams=streams, total=total)


def direction_of(flows: Sequence[Flow]) -> str:
    """Return the direction of a test with these flows."""
    directions = {flow.direction for flow in flows}
    return "bidirectional" if len(directions) > 1 else directions.pop() if directions else ""


def measurements(result: Result, call: int) -> list[Measurement]:
    """Return a test's flows as measurements.

    If an operation has both directions, these are components, and the whole is their sum.
    """
    operations = [flow.operation for flow in result.flows]
    twice = [name for name in dict.fromkeys(operations) if operations.count(name) > 1]
    parts = [
        replace(_measurement(flow, result, call), component=flow.direction)
        for flow in result.flows
        if flow.operation in twice
    ]
    sums = [_both([flow for flow in result.flows if flow.operation == name]) for name in twice]
    single = [flow for flow in result.flows if flow.operation not in twice]
    return parts + [_measurement(flow, result, call) for flow in [*sums, *single]]


def _both(flows: Sequence[Flow]) -> Flow:
    """Return both directions as streams of one flow."""
    rows = [replace(_one_row(flow), id=flow.direction) for flow in flows]
    return Flow(flows[0].operation, "bidirectional", flows[0].protocol, rows)


def _one_row(flow: Flow) -> IntervalRow:
    counted = _counted(flow)
    return IntervalRow(
        id=flow.direction,
        start=0.0,
        end=max(row.seconds for row in flow.rows),
        bytes=flow.bytes,
        rate=rate_of(flow.rows),
        retransmits=_retransmits(flow),
        jitter=mean_of(counted, "jitter"),
        lost=sum_of(counted, "lost"),
        datagrams=sum_of(counted, "datagrams"),
    )


def _measurement(flow: Flow, result: Result, call: int) -> Measurement:
    """Convert the flow to a measurement: bytes/s, jitter in ns, loss in percent."""
    values: Values = {**_figures(flow), **flow.values}
    parts = flow.streams if len(flow.streams) > 1 else ()
    if parts:
        values["streams"] = [_part(row) for row in parts[:MAX_PARTS]]
    return Measurement(
        operation=flow.operation,
        bandwidth=rate_of(flow.rows),
        iops=None,
        params=determining_params(result.params),
        values={name: value for name, value in values.items() if value is not None},
        series=series(flow.intervals),
        call=call,
        target=result.path,
        client=result.client,
        unread_options=result.unread,
        completeness=result.completeness,
        warnings=result.warnings,
        lines=result.lines,
    )


def _figures(flow: Flow) -> Values:
    """Return values that are summed or averaged over streams. iperf's sum lacks some of them."""
    streams = flow.streams
    rate = rate_of(flow.rows)
    counted = _counted(flow)
    lost, datagrams = sum_of(counted, "lost"), sum_of(counted, "datagrams")
    return {
        "bytes": flow.bytes,
        "seconds": max(row.seconds for row in flow.rows),
        "gbit_per_second": None if rate is None else rate * 8 / 1e9,
        "printed": flow.rows[0].printed if len(flow.rows) == 1 else None,
        "retransmits": _retransmits(flow),
        "jitter": mean_of(counted, "jitter"),
        "lost": lost,
        "datagrams": datagrams,
        "loss": 100 * lost / datagrams if lost is not None and datagrams else None,
        "round_trip": mean_of(streams, "round_trip"),
        "congestion_window": mean_of(streams, "window"),
    }


def _counted(flow: Flow) -> Sequence[IntervalRow]:
    """Return the rows with datagram counts: iperf's sum, or the streams if it has none."""
    return flow.rows if sum_of(flow.rows, "datagrams") is not None else flow.streams


def _retransmits(flow: Flow) -> int | None:
    of_rows = sum_of(flow.rows, "retransmits")
    return sum_of(flow.streams, "retransmits") if of_rows is None else of_rows


def _part(row: IntervalRow) -> Values:
    return {
        "id": row.id,
        "bytes": row.bytes,
        "bandwidth": row.rate,
        **({} if row.retransmits is None else {"retransmits": row.retransmits}),
        **({} if row.lost is None else {"lost": row.lost, "datagrams": row.datagrams}),
    }
