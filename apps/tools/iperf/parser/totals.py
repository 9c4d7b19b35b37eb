"""Rows of one direction -> one measurement: the total of parallel streams, its parts, its
series; both directions of a test -> their sum as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.base import JSON, Completeness, Measurement, Series

from .lines import Row

MAX_PARTS = 256
NOTHING = "iperf reported a test without a single byte."


@dataclass(frozen=True)
class Flow:
    """What one end counted of the traffic in one direction.

    `streams`: a row for each connection; `total`: iperf's own sum; `intervals`: rows in time, of
    the sum where there are several streams.
    """

    operation: str
    direction: str
    protocol: str
    streams: Sequence[Row]
    total: Row | None = None
    intervals: Sequence[Row] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    parallel: int | None = None

    @property
    def bytes(self) -> float:
        """Bytes of all streams."""
        return self.total.bytes if self.total else sum(row.bytes for row in self.streams)

    @property
    def rows(self) -> Sequence[Row]:
        """The rows that make up the whole: iperf's sum, else every stream."""
        return [self.total] if self.total else self.streams


@dataclass(frozen=True)
class Found:
    """What one end's output says: the flows of each test that moved something."""

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


def _one_row(flow: Flow) -> Row:
    figures = _figures(flow)
    return Row(
        id=flow.direction,
        start=0.0,
        end=figures["seconds"],
        bytes=flow.bytes,
        rate=_bandwidth(flow.rows),
        **{name: figures[name] for name in ("retransmits", "jitter", "lost", "datagrams")},
    )


def measurement(flow: Flow) -> Measurement:
    """The flow as a measurement: bytes/s, jitter in ns, loss in percent."""
    rows = flow.rows
    values = _figures(flow) | dict(flow.values)
    parts = flow.streams if len(flow.streams) > 1 else ()
    if parts:
        values["streams"] = [_part(row) for row in parts[:MAX_PARTS]]
    return Measurement(
        operation=flow.operation,
        bandwidth=_bandwidth(rows),
        iops=None,
        params={
            "protocol": flow.protocol,
            "streams": flow.parallel or max(1, len(flow.streams)),
            "direction": flow.direction,
        },
        values={name: value for name, value in values.items() if value is not None},
        series=series(flow.intervals),
    )


def _figures(flow: Flow) -> JSON:
    """What is added up or averaged over streams. iperf's own sum leaves some of it out."""
    streams = flow.streams
    rate = _bandwidth(flow.rows)
    counted = flow.rows if _sum(flow.rows, "datagrams") is not None else streams
    lost, datagrams = _sum(counted, "lost"), _sum(counted, "datagrams")
    retransmits = _sum(flow.rows, "retransmits")
    return {
        "bytes": flow.bytes,
        "seconds": max(row.seconds for row in flow.rows),
        "gbit_per_second": None if rate is None else rate * 8 / 1e9,
        "printed": flow.rows[0].printed if len(flow.rows) == 1 else None,
        "retransmits": _sum(streams, "retransmits") if retransmits is None else retransmits,
        "jitter": _mean(counted, "jitter"),
        "lost": lost,
        "datagrams": datagrams,
        "loss": 100 * lost / datagrams if lost is not None and datagrams else None,
        "round_trip": _mean(streams, "round_trip"),
        "congestion_window": _mean(streams, "window"),
    }


def _bandwidth(rows: Sequence[Row]) -> float | None:
    rates = [row.rate for row in rows if row.rate is not None]
    return sum(rates) if rates else None


def _part(row: Row) -> JSON:
    return {
        "id": row.id,
        "bytes": row.bytes,
        "bandwidth": row.rate,
        **({} if row.retransmits is None else {"retransmits": row.retransmits}),
        **({} if row.lost is None else {"lost": row.lost, "datagrams": row.datagrams}),
    }


def _sum(rows: Sequence[Row], name: str) -> int | None:
    known = [value for row in rows if (value := getattr(row, name)) is not None]
    return sum(known) if known else None


def _mean(rows: Sequence[Row], name: str) -> float | None:
    known = [value for row in rows if (value := getattr(row, name)) is not None]
    return sum(known) / len(known) if known else None


def series(intervals: Sequence[Row]) -> tuple[Series, ...]:
    """Bandwidth and, where known, retransmits, jitter and loss of each interval.

    A last interval shorter than half of the usual one is a remainder and left out.
    """
    rows = [row for row in intervals if not row.omitted]
    if not rows:
        return ()
    usual = round(sorted(row.seconds for row in rows)[(len(rows) - 1) // 2], 6)
    rows = rows[:-1] if rows[-1].seconds < usual / 2 else rows
    if usual <= 0 or not rows:
        return ()
    lines: dict[str, list[float | None]] = {
        "bandwidth": [row.rate for row in rows],
        "retransmits": [row.retransmits for row in rows],
        "jitter": [row.jitter for row in rows],
        "loss": [_loss(row) for row in rows],
        "round_trip": [row.round_trip for row in rows],
        "congestion_window": [row.window for row in rows],
    }
    return tuple(
        Series(name, tuple(values), rows[0].start, usual)
        for name, values in lines.items()
        if any(value is not None for value in values)
    )


def _loss(row: Row) -> float | None:
    if row.lost is None or not row.datagrams:
        return None
    return 100 * row.lost / row.datagrams


def by_stream(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each stream, without iperf's own sums."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if not row.total:
            found.setdefault(row.id, []).append(row)
    return found


def abreast(rows: Iterable[Row], streams: int) -> list[Row]:
    """Intervals of parallel streams as their sums; an interval that a stream lacks is left out."""
    places: dict[float, list[Row]] = {}
    for row in rows:
        places.setdefault(round(row.start, 1), []).append(row)
    return [_added(found) for found in places.values() if len(found) == streams]


def _added(rows: Sequence[Row]) -> Row:
    """Streams in the same interval as one."""
    return Row(
        id="SUM",
        start=rows[0].start,
        end=rows[0].end,
        bytes=sum(row.bytes for row in rows),
        rate=_bandwidth(rows),
        omitted=any(row.omitted for row in rows),
        retransmits=_sum(rows, "retransmits"),
        jitter=_mean(rows, "jitter"),
        lost=_sum(rows, "lost"),
        datagrams=_sum(rows, "datagrams"),
        round_trip=_mean(rows, "round_trip"),
        window=_mean(rows, "window"),
    )


def joined(rows: Sequence[Row]) -> Row:
    """Intervals of one stream as if they were its total: bytes add up, the rate is their mean over
    time."""
    counted = [row for row in rows if not row.omitted] or list(rows)
    seconds = sum(row.seconds for row in counted)
    moved = sum((row.rate or 0.0) * row.seconds for row in counted)
    last = counted[-1]
    return Row(
        id=last.id,
        start=counted[0].start,
        end=counted[0].start + seconds,
        bytes=sum(row.bytes for row in counted),
        rate=moved / seconds if seconds else None,
        role=last.role,
        retransmits=_sum(counted, "retransmits"),
        jitter=last.jitter,
        lost=_sum(counted, "lost"),
        datagrams=_sum(counted, "datagrams"),
    )
