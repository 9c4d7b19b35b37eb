"""Merge the client's and the server's output of one test.

iperf3's client has the server's counts, but only the intervals of its own end; iperf 2 has only its
own end. Missing values are taken from the other end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.tools.parse_result import Completeness

from .iperf2 import NO_END
from .totals import EndResult, Flow, direction_of

_CPU_PREFIX = "cpu_"


def joined_ends(client: EndResult, server: EndResult) -> EndResult:
    """Merge the last test of both ends, with the client's values first.

    benchlab runs one test at a time.
    """
    client_test, server_test = client.tests[-1], server.tests[-1]
    flows = {_key(flow): flow for flow in server_test.flows}
    for flow in client_test.flows:
        server_flow = flows.get(_key(flow))
        flows[_key(flow)] = _completed(flow, server_flow) if server_flow else flow
    proven = _both_counted(list(flows.values()))
    warnings = dict.fromkeys([*client_test.warnings, *server_test.warnings])
    if proven:
        warnings.pop(NO_END, None)
    test = replace(
        client_test,
        flows=sorted(
            flows.values(), key=lambda flow: (flow.direction, flow.operation == "receive")
        ),
        params=client_test.params | {"direction": direction_of(list(flows.values()))},
        completeness=_state({client_test.completeness, server_test.completeness}, proven),
        warnings=tuple(warnings),
    )
    return EndResult(
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


def _completed(flow: Flow, other_flow: Flow) -> Flow:
    """Return the flow with the other end's intervals and values where it has none."""
    values = {name: value for name, value in other_flow.values.items() if _shared(name, value)}
    own_values = {name: value for name, value in flow.values.items() if value is not None}
    return replace(
        flow, intervals=flow.intervals or other_flow.intervals, values=values | own_values
    )


def _shared(name: str, value: object) -> bool:
    """Return False for CPU values: "host" and "remote" are swapped at the other end."""
    return value is not None and not name.startswith(_CPU_PREFIX)


def _both_counted(flows: Sequence[Flow]) -> bool:
    """Return True if each direction has sent and received counts, so the test is complete."""
    by_direction: dict[str, set[str]] = {}
    for flow in flows:
        by_direction.setdefault(flow.direction, set()).add(flow.operation)
    return bool(flows) and all(counted == {"send", "receive"} for counted in by_direction.values())
