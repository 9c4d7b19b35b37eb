"""Rows of one direction -> one measurement: the total of parallel streams, its parts, its
series; both directions of a test -> their sum as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.base import Completeness, Measurement
from apps.tools.values import Figure, Values

from .intervals import mean_of, rate_of, series, sum_of
from .text_rows import IntervalRow

MAX_PARTS = 256
NOTHING = "iperf reported a test without a single byte."


@dataclass(frozen=True)
class Flow:
    """The traffic in one direction as one end counted it.

    `streams`: a row for each connection; `total`: iperf's own sum; `intervals`: rows in time, of
    the sum where there are several streams.
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
        """Bytes of all streams."""
        return self.total.bytes if self.total else sum(row.bytes for row in self.streams)

    @property
    def rows(self) -> Sequence[IntervalRow]:
        """The rows that make up the whole: iperf's sum, else every stream."""
        return [self.total] if self.total else self.streams


@dataclass(frozen=True)
class Found:
    """The content of one end's output: the flows of each test that moved something."""

    format: str
    version: str | None
    tests: Sequence[Sequence[Flow]]
    warnings: Sequence[str] = ()
    completeness: Completeness = "whole"


def measurements(flows: Sequence[Flow]) -> list[Measurement]:
    """A test's flows. Where an operation has both directions they are parts, and their sum over
    both is the whole."""
    operations = [flow.operation for flow in flows]
    twice = [name for name in dict.fromkeys(operations) if operations.count(name) > 1]
    if not twice:
        return [measurement(flow) for flow in flows]
    parts = [replace(measurement(flow), part=flow.direction) for flow in flows]
    return parts + [_both([flow for flow in flows if flow.operation == name]) for name in twice]


def _both(flows: Sequence[Flow]) -> Measurement:
    rows = [replace(_one_row(flow), id=flow.direction) for flow in flows]
    parallel = sum(flow.parallel or len(flow.streams) for flow in flows)
    return measurement(
        Flow(flows[0].operation, "bidirectional", flows[0].protocol, rows, parallel=parallel)
    )


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


def measurement(flow: Flow) -> Measurement:
    """The flow as a measurement: bytes/s, jitter in ns, loss in percent."""
    rows = flow.rows
    values: Values = {**_figures(flow), **flow.values}
    parts = flow.streams if len(flow.streams) > 1 else ()
    if parts:
        values["streams"] = [_part(row) for row in parts[:MAX_PARTS]]
    return Measurement(
        operation=flow.operation,
        bandwidth=rate_of(rows),
        iops=None,
        params={
            "protocol": flow.protocol,
            "streams": flow.parallel or max(1, len(flow.streams)),
            "direction": flow.direction,
        },
        values={name: value for name, value in values.items() if value is not None},
        series=series(flow.intervals),
    )


def _figures(flow: Flow) -> Values:
    """Figures that are added up or averaged over streams. iperf's own sum leaves some of it out."""
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
    """The rows that count datagrams: iperf's own sum, or the streams where it does not."""
    return flow.rows if sum_of(flow.rows, "datagrams") is not None else flow.streams


def _retransmits(flow: Flow) -> int | None:
    own = sum_of(flow.rows, "retransmits")
    return sum_of(flow.streams, "retransmits") if own is None else own


def _part(row: IntervalRow) -> Values:
    return {
        "id": row.id,
        "bytes": row.bytes,
        "bandwidth": row.rate,
        **({} if row.retransmits is None else {"retransmits": row.retransmits}),
        **({} if row.lost is None else {"lost": row.lost, "datagrams": row.datagrams}),
    }
