"""A test of iperf 2 -> flows.

Rows with -i come once an interval and once for the whole, which starts at 0 again; without -i only
the whole is printed. `[SUM]` adds parallel streams up; with --sum-only its rows are all there is.
iperf 2 prints no end mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from apps.tools.messages import message
from apps.tools.parse_result import Completeness

from .calls import SLACK, Connection, Test
from .intervals import abreast, by_stream, joined
from .text_rows import IntervalRow
from .totals import Flow

NO_END = "iperf 2 prints no end mark: completeness unknown."
NO_TOTAL = "The output is cut off: a stream has no line for the whole test."
OTHER_SUM = message("The line [SUM] is not the sum of its streams, which are added up instead.")
# Transfers have three digits: each is half a percent off at most.
_ROUNDED = 0.015
# Parallel streams end at nearly the same time.
_SPAN = 0.9


def flows(test: Test) -> tuple[list[Flow], Completeness, tuple[str, ...]]:
    """The flows that were sent and received, whether every stream has its total, and remarks."""
    whole = True
    found = []
    rows_of = by_stream(test.rows) or _sums(test.rows)
    for operation in _in_order(test, rows_of):
        streams: list[IntervalRow] = []
        intervals: list[IntervalRow] = []
        for name, rows in rows_of.items():
            if _operation(test, name) == operation:
                total, parts = split(rows)
                whole = whole and total is not None
                streams.append(total or joined(parts))
                intervals += parts
        if streams:
            found.append(_flow(test, operation, streams, intervals))
    both = len(found) > 1
    if test.reports:
        reports = [rows[-1] for rows in by_stream(test.reports).values()]
        found.append(Flow("receive", "reverse" if test.server else "forward", "udp", reports))
    summed = [flow if both else _with_sum(test, flow) for flow in found]
    remarks = () if both else _doubts(test, found, summed)
    return summed, "unknown" if whole else "partial", remarks


def _in_order(test: Test, rows_of: Mapping[str, Sequence[IntervalRow]]) -> list[str]:
    """The operations, in the order of their last rows."""
    last = {row.id: place for place, row in enumerate(test.rows)}
    names = sorted(rows_of, key=lambda name: last[name])
    return list(dict.fromkeys(_operation(test, name) for name in names))


def _sums(rows: Sequence[IntervalRow]) -> dict[str, list[IntervalRow]]:
    """The rows of sums, where no stream has one."""
    return {rows[0].id: list(rows)} if rows else {}


def split(rows: Sequence[IntervalRow]) -> tuple[IntervalRow | None, Sequence[IntervalRow]]:
    """The row of the whole test and those of its intervals."""
    last = rows[-1]
    if len(rows) == 1:
        # Without -i there is one row; with it, one that starts later cannot be the whole.
        return (last, ()) if last.start < SLACK else (None, rows)
    whole = last.start < SLACK and last.end >= rows[-2].end - SLACK
    return (last, rows[:-1]) if whole else (None, rows)


def _flow(
    test: Test, operation: str, streams: list[IntervalRow], intervals: list[IntervalRow]
) -> Flow:
    """Parallel streams are shown in time by their sum."""
    alone = intervals if len(streams) == 1 else abreast(intervals, len(streams))
    forward = (operation == "send") is not bool(test.server)
    only_sum = len(streams) == 1 and streams[0].total
    return Flow(
        operation,
        "forward" if forward else "reverse",
        test.protocol.lower(),
        streams,
        intervals=alone,
        parallel=(streams[0].parallel or 0) if only_sum else None,
    )


def _with_sum(test: Test, flow: Flow) -> Flow:
    """The flow with iperf's own sum, where all that was summed is this flow."""
    rows = [row for row in test.rows if row.total]
    if not rows or len(flow.streams) < 2 or (test.reports and flow.operation == "receive"):
        return flow
    total, intervals = split(rows)
    if total is None or not _spans(total, flow) or not _adds_up(total, flow):
        return flow
    return replace(flow, total=total, intervals=intervals or flow.intervals)


def _spans(total: IntervalRow, flow: Flow) -> bool:
    """Whether a sum is that of the whole test: older versions leave out the last ones."""
    ends = [row.end for row in flow.streams]
    return _SPAN * max(ends) <= total.end <= max(ends) / _SPAN


def _adds_up(total: IntervalRow, flow: Flow) -> bool:
    moved = sum(row.bytes for row in flow.streams)
    return abs(total.bytes - moved) <= _ROUNDED * moved


def _doubts(test: Test, found: Sequence[Flow], summed: Sequence[Flow]) -> tuple[str, ...]:
    """A remark where a sum over the whole test is another than that of its streams."""
    totals = [row for row in test.rows if row.total and row.start < SLACK]
    for flow, taken in zip(found, summed, strict=True):
        wrong = totals and len(flow.streams) > 1 and not (test.reports and flow is found[-1])
        if wrong and taken.total is None and _spans(totals[-1], flow):
            return (OTHER_SUM,)
    return ()


def _operation(test: Test, name: str) -> str:
    """Whether this end sends on a connection: who called sends, unless the data runs backwards.
    A star is on what the server sends, at either end.
    """
    if name.startswith("*"):
        return "send" if test.server else "receive"
    ends = test.connections.get(name)
    backwards = ends is not None and ends.reverse
    return "send" if _calls(test, ends) is not backwards else "receive"


def _calls(test: Test, ends: Connection | None) -> bool:
    if ends is not None and ends.local != ends.remote:
        if test.port is not None and ends.remote == test.port:
            return True
        if ends.local in (test.listens, test.port):
            return False
    return not test.server
