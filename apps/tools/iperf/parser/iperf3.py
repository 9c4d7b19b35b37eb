"""Convert a test of iperf3's text to flows.

The closing table has a row for each end of a stream ("sender", "receiver"); iperf3 before 3.2 has
one unmarked row for UDP. A client ends with "iperf Done.", a server with a rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.parse_result import Completeness

from .calls import Test
from .intervals import by_stream, joined
from .marks import GONE, TERMINATED
from .text_rows import IntervalRow
from .totals import Flow, at_rate_of_intervals

NO_TOTAL = "The output is cut off: the closing table is missing."
NO_END = "The end of the output is missing: completeness unknown."
_OPERATIONS = {"sender": "send", "receiver": "receive"}


def flows(test: Test) -> tuple[list[Flow], Completeness, tuple[str, ...]]:
    """Return the sent and received flows of each direction, the completeness, and remarks."""
    if not test.summary:
        return _unfinished(test), "partial", ()
    parsed_flows = []
    for role in dict.fromkeys(row.role for row in test.summary):
        rows = [row for row in test.summary if row.role == role]
        for ends in ("sender", "receiver"):
            counted = [row for row in rows if (row.ends or _bare(test)) == ends]
            if counted:
                parsed_flows.append(_flow(test, role, ends, counted))
    active = [flow for flow in parsed_flows if flow.bytes] or parsed_flows
    if abandoned(test):
        active = [at_rate_of_intervals(flow) for flow in active]
    return active, "whole" if test.done or test.ruled else "unknown", ()


def abandoned(test: Test) -> bool:
    """Return True if the client of a server disconnected.

    The server's closing rows then have the bytes until the disconnect and the time of its last
    whole interval.
    """
    gone = any(TERMINATED in text or text == GONE for text in test.errors)
    return bool(test.server) and gone


def _bare(test: Test) -> str:
    """Return the end that counted an unmarked closing row: a UDP client or a receiving server."""
    return "receiver" if test.server else "sender"


def _flow(test: Test, role: str | None, ends: str, rows: Sequence[IntervalRow]) -> Flow:
    streams = [row for row in rows if not row.total]
    total = next((row for row in rows if row.total), None)
    local = _sends(test, role) is (ends == "sender")
    return Flow(
        _OPERATIONS[ends],
        _direction(test, role),
        _protocol(test),
        streams or list(rows),
        total if len(streams) > 1 else None,
        _intervals(test, role) if local else (),
        parallel=None if streams else 0,
    )


def _protocol(test: Test) -> str:
    rows = [*test.rows, *test.summary]
    udp = test.protocol == "UDP" or any(row.datagrams is not None for row in rows)
    return "udp" if udp else "tcp"


def _sends(test: Test, role: str | None) -> bool:
    """Return True if this end sends."""
    if role is not None:
        return role.startswith("TX")
    if test.server and test.summary:
        return all(row.ends == "sender" or not row.bytes for row in test.summary)
    return test.reverse is bool(test.server)


def _direction(test: Test, role: str | None) -> str:
    """Return the direction.

    The letter after a role is that of the printing end: "RX-S" is a server's.
    """
    server = role.endswith("S") if role else bool(test.server)
    return "forward" if _sends(test, role) is not server else "reverse"


def _intervals(test: Test, role: str | None) -> list[IntervalRow]:
    rows = [row for row in test.rows if row.role == role]
    return [row for row in rows if row.total] or rows


def _unfinished(test: Test) -> list[Flow]:
    """Return the flows of a truncated test, from its intervals."""
    parsed_flows = []
    for role in dict.fromkeys(row.role for row in test.rows):
        rows = [row for row in test.rows if row.role == role]
        streams = [joined(parts) for parts in by_stream(rows).values()]
        parsed_flows.append(
            Flow(
                "send" if _sends(test, role) else "receive",
                _direction(test, role),
                _protocol(test),
                streams or [joined(rows)],
                intervals=_intervals(test, role),
                parallel=None if streams else 0,
            )
        )
    return [flow for flow in parsed_flows if flow.bytes]
