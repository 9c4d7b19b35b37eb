"""A test of iperf 2 -> flows.

Rows with -i come once an interval and once for the whole, which starts at 0 again; without -i only
the whole is printed. `[SUM]` adds parallel streams up. iperf 2 prints no end mark.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.base import Completeness

from .intervals import abreast, by_stream, joined
from .sections import Connection, Test
from .text_rows import IntervalRow
from .totals import Flow

NO_END = "iperf 2 prints no end mark: completeness unknown."
NO_TOTAL = "The output is cut off: a stream has no line for the whole test."
_SLACK = 0.02


def flows(test: Test) -> tuple[list[Flow], Completeness]:
    """The flows that were sent and received, and whether every stream has its total."""
    whole = True
    found = []
    rows_of = by_stream(test.rows)
    for operation in ("send", "receive"):
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
    if test.reports:
        reports = [rows[-1] for rows in by_stream(test.reports).values()]
        found.append(Flow("receive", "forward", "udp", reports, parallel=len(reports)))
    both = len({flow.operation for flow in found if not test.reports}) > 1
    summed = [flow if both else _with_sum(test, flow) for flow in found]
    return summed, "unknown" if whole else "partial"


def split(rows: Sequence[IntervalRow]) -> tuple[IntervalRow | None, Sequence[IntervalRow]]:
    """The row of the whole test and those of its intervals."""
    last = rows[-1]
    if len(rows) == 1:
        # Without -i there is one row; with it, one that starts later cannot be the whole.
        return (last, ()) if last.start < _SLACK else (None, rows)
    whole = last.start < _SLACK and last.end >= rows[-2].end - _SLACK
    return (last, rows[:-1]) if whole else (None, rows)


def _flow(
    test: Test, operation: str, streams: list[IntervalRow], intervals: list[IntervalRow]
) -> Flow:
    """Parallel streams are shown in time by their sum."""
    alone = intervals if len(streams) == 1 else abreast(intervals, len(streams))
    forward = (operation == "send") is not bool(test.server)
    return Flow(
        operation,
        "forward" if forward else "reverse",
        test.protocol.lower(),
        streams,
        intervals=alone,
    )


def _with_sum(test: Test, flow: Flow) -> Flow:
    """The flow with iperf's own sum, where all that was summed is this flow."""
    rows = [row for row in test.rows if row.total]
    if not rows or len(flow.streams) < 2 or (test.reports and flow.operation == "receive"):
        return flow
    total, intervals = split(rows)
    return Flow(
        flow.operation, flow.direction, flow.protocol, flow.streams, total, intervals, flow.values
    )


def _operation(test: Test, name: str) -> str:
    """Whether this end sends on a connection: who called sends, unless the data runs backwards."""
    ends = test.connections.get(name.lstrip("*"))
    sends = _calls(test, ends)
    backwards = name.startswith("*") or (ends is not None and ends.reverse)
    return "send" if sends is not backwards else "receive"


def _calls(test: Test, ends: Connection | None) -> bool:
    if ends is not None and test.port is not None and ends.local != ends.remote:
        return ends.remote == test.port
    return not test.server
