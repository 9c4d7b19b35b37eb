"""The client's and the server's output of one test as one.

iperf3's client knows what the server counted, but has the intervals of its own end only; iperf 2
knows its own end alone. What one end lacks is taken from the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.tools.parse_result import Completeness

from .iperf2 import NO_END
from .totals import Flow, Found, direction_of

_ABOUT_AN_END = "cpu_"


def joined_ends(client: Found, server: Found) -> Found:
    """The last test of both: benchlab runs one at a time. The client's figures come first."""
    mine, other = client.tests[-1], server.tests[-1]
    flows = {_key(flow): flow for flow in other.flows}
    for flow in mine.flows:
        same = flows.get(_key(flow))
        flows[_key(flow)] = _completed(flow, same) if same else flow
    proven = _both_counted(list(flows.values()))
    warnings = dict.fromkeys([*mine.warnings, *other.warnings])
    if proven:
        warnings.pop(NO_END, None)
    test = replace(
        mine,
        flows=sorted(
            flows.values(), key=lambda flow: (flow.direction, flow.operation == "receive")
        ),
        params=mine.params | {"direction": direction_of(list(flows.values()))},
        completeness=_state({mine.completeness, other.completeness}, proven),
        warnings=tuple(warnings),
    )
    return Found(
        client.format,
        client.version or server.version,
        [test],
        tuple(dict.fromkeys([*client.warnings, *server.warnings])),
    )


def _state(states: set[Completeness], proven: bool) -> Completeness:
    if "partial" in states:
        return "partial"
    return "whole" if proven or states == {"whole"} else "unknown"


def _key(flow: Flow) -> tuple[str, str]:
    return flow.operation, flow.direction


def _completed(flow: Flow, other: Flow) -> Flow:
    """The flow with the other end's intervals and figures where it has none."""
    values = {name: value for name, value in other.values.items() if _shared(name, value)}
    known = {name: value for name, value in flow.values.items() if value is not None}
    return replace(flow, intervals=flow.intervals or other.intervals, values=values | known)


def _shared(name: str, value: object) -> bool:
    """CPU figures are "host" and "remote": each end has them the other way round."""
    return value is not None and not name.startswith(_ABOUT_AN_END)


def _both_counted(flows: Sequence[Flow]) -> bool:
    """Whether each direction has what was sent and what arrived: the test came to its end."""
    by_direction: dict[str, set[str]] = {}
    for flow in flows:
        by_direction.setdefault(flow.direction, set()).add(flow.operation)
    return bool(flows) and all(found == {"send", "receive"} for found in by_direction.values())
