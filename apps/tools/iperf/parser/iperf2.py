"""Convert a test of iperf 2 to flows.

With -i there is a row per interval and one for the whole, which starts at 0; without -i only the
whole. `[SUM]` is the sum of parallel streams; with --sum-only there are no other rows. iperf 2
prints no end mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from apps.tools.messages import message
from apps.tools.parse_result import Completeness

from .calls import SLACK, Connection, Test
from .intervals import by_stream, joined, parallel_sums
from .text_rows import IntervalRow
from .totals import Flow

NO_END = "iperf 2 prints no end mark: completeness unknown."
NO_TOTAL = "The output is cut off: a stream has no line for the whole test."
OTHER_SUM = message("The line [SUM] is not the sum of its streams, which are added up instead.")
# Transfers have three digits, so the error of each is at most 0.5 %.
_ROUNDED = 0.015
# Parallel streams end at almost the same time.
_SPAN = 0.9


def flows(test: Test) -> tuple[list[Flow], Completeness, tuple[str, ...]]:
    """Return the sent and received flows, the completeness of their totals, and remarks."""
    whole = True
    parsed_flows = []
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
            parsed_flows.append(_flow(test, operation, streams, intervals))
    both = len(parsed_flows) > 1
    if test.reports:
        reports = [rows[-1] for rows in by_stream(test.reports).values()]
        parsed_flows.append(
            Flow("receive", "reverse" if test.server else "forward", "udp", reports)
        )
    summed = [flow if both else _with_sum(test, flow) for flow in parsed_flows]
    remarks = () if both else _sum_remarks(test, parsed_flows, summed)
    return summed, "unknown" if whole else "partial", remarks


def _in_order(test: Test, rows_of: Mapping[str, Sequence[IntervalRow]]) -> list[str]:
    """Return the operations in the order of their last rows."""
    last = {row.id: index for index, row in enumerate(test.rows)}
    names = sorted(rows_of, key=lambda name: last[name])
    return list(dict.fromkeys(_operation(test, name) for name in names))


def _sums(rows: Sequence[IntervalRow]) -> dict[str, list[IntervalRow]]:
    """Return the rows of sums, for a test without rows of streams."""
    return {rows[0].id: list(rows)} if rows else {}


def split(rows: Sequence[IntervalRow]) -> tuple[IntervalRow | None, Sequence[IntervalRow]]:
    """Split rows into that of the whole test and those of its intervals."""
    last = rows[-1]
    if len(rows) == 1:
        # Without -i there is one row; with -i a row that starts later is not the whole.
        return (last, ()) if last.start < SLACK else (None, rows)
    whole = last.start < SLACK and last.end >= rows[-2].end - SLACK
    return (last, rows[:-1]) if whole else (None, rows)


def _flow(
    test: Test, operation: str, streams: list[IntervalRow], intervals: list[IntervalRow]
) -> Flow:
    """Build a flow; the intervals of parallel streams are summed."""
    in_time = intervals if len(streams) == 1 else parallel_sums(intervals, len(streams))
    forward = (operation == "send") is not bool(test.server)
    only_sum = len(streams) == 1 and streams[0].total
    return Flow(
        operation,
        "forward" if forward else "reverse",
        test.protocol.lower(),
        streams,
        intervals=in_time,
        parallel=(streams[0].parallel or 0) if only_sum else None,
    )


def _with_sum(test: Test, flow: Flow) -> Flow:
    """Return the flow with iperf's sum if it covers exactly this flow."""
    rows = [row for row in test.rows if row.total]
    if not rows or len(flow.streams) < 2 or (test.reports and flow.operation == "receive"):
        return flow
    total, intervals = split(rows)
    if total is None or not _spans(total, flow) or not _adds_up(total, flow):
        return flow
    return replace(flow, total=total, intervals=intervals or flow.intervals)


def _spans(total: IntervalRow, flow: Flow) -> bool:
    """Return True if a sum covers the whole test; older versions omit the last intervals."""
    ends = [row.end for row in flow.streams]
    return _SPAN * max(ends) <= total.end <= max(ends) / _SPAN


def _adds_up(total: IntervalRow, flow: Flow) -> bool:
    moved = sum(row.bytes for row in flow.streams)
    return abs(total.bytes - moved) <= _ROUNDED * moved


def _sum_remarks(
    test: Test, parsed_flows: Sequence[Flow], summed: Sequence[Flow]
) -> tuple[str, ...]:
    """Return a remark if a sum over the whole test differs from that of its streams."""
    totals = [row for row in test.rows if row.total and row.start < SLACK]
    for flow, flow_with_sum in zip(parsed_flows, summed, strict=True):
        wrong = totals and len(flow.streams) > 1 and not (test.reports and flow is parsed_flows[-1])
        if wrong and flow_with_sum.total is None and _spans(totals[-1], flow):
            return (OTHER_SUM,)
    return ()


def _operation(test: Test, name: str) -> str:
    """Return the operation of this end on a connection.

    The connecting end sends, except in reverse. A star marks data that the server sends, at either
    end.
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
