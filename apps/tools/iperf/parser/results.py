"""A test of a text, its flows and the command above it -> a result with all that is stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import floor

from apps.tools.iperf.params import PORTS
from apps.tools.parse_result import Completeness
from apps.tools.values import Parameters

from .calls import SLACK, Test
from .given import BOTH_WAYS, Call, commands_of
from .invocation import Invocation
from .rates import rate_of_sender
from .totals import Flow, Result, direction_of

# A receiver counts from the first data on: a little less than the sender's time. The last data of
# iperf 2 may take longer than the test; iperf3 stops on time.
_LESS, _MORE = 0.1, {2: 0.35, 3: 0.1}
_OF_LONG = 0.005


def result_of(
    test: Test, flows: Sequence[Flow], completeness: Completeness, warnings: Sequence[str]
) -> Result:
    """The test with the parameters that its own lines state."""
    completeness = "partial" if test.errors else completeness
    remarks = dict.fromkeys([*warnings, *test.errors, *test.remarks])
    return Result(
        flows=[flow for flow in flows if flow.bytes],
        params=_params(test, flows, completeness),
        completeness=completeness,
        warnings=tuple(remarks),
        target=_target(test),
        client=_client(test),
        lines=(test.first, test.last),
        headed=bool(test.connections or test.reverse or test.server or test.shape != 3),
    )


def with_commands(
    results: Sequence[Result],
    commands: Sequence[Invocation],
    failed: Sequence[int] = (),
) -> list[Result]:
    """Each result with the parameters of the command that printed it. `failed`: lines of calls
    that printed an error only.
    """
    if not commands:
        return list(results)
    calls = [_call(result) for result in results]
    calls += [Call(line, {}) for line in failed]
    order = sorted(range(len(calls)), key=lambda place: calls[place].line)
    found = dict(zip(order, commands_of([calls[i] for i in order], commands), strict=True))
    return [_given(result, found[place]) for place, result in enumerate(results)]


def _call(result: Result) -> Call:
    first, _last = result.lines or (0, 0)
    params = result.params
    if not result.headed and params["direction"] == "forward":
        params = {name: value for name, value in params.items() if name != "direction"}
    return Call(
        line=first,
        params=params,
        server=bool(result.client),
        host="" if result.client else result.target,
        whole=result.completeness != "partial",
    )


def _given(result: Result, command: Invocation | None) -> Result:
    """A client's command states its whole test, a server's its own options only. A value that
    the command leaves open is the output's.
    """
    if command is None:
        return result
    lines = result.lines and (min(command.line, result.lines[0]), result.lines[1])
    if command.server:
        return replace(result, unread=command.unread)
    params = {**(result.params if command.unread else {}), **command.params}
    if params.keys() & {"bytes", "blocks"}:
        params.pop("seconds", None)
    if params.keys() & BOTH_WAYS:
        params["direction"] = result.params.get("direction", "forward")
    host = "" if "$" in command.host else command.host
    target = result.target or host
    if not result.headed and params.get("direction") == "reverse":
        result = replace(result, flows=_reversed(result.flows))
    return replace(result, params=params, unread=command.unread, target=target, lines=lines)


def _reversed(flows: Sequence[Flow]) -> list[Flow]:
    """The flows of a client that receives: its own intervals are those of the receiving end."""
    if len(flows) == 1 and flows[0].intervals:
        return [replace(flows[0], operation="receive", direction="reverse")]
    intervals = [row for flow in flows for row in flow.intervals]
    return [
        replace(
            flow, direction="reverse", intervals=intervals if flow.operation == "receive" else ()
        )
        for flow in flows
    ]


def _params(test: Test, flows: Sequence[Flow], completeness: Completeness) -> Parameters:
    """Parameters under the names of plans, as far as they are stated."""
    generation = test.shape
    program = f"iperf{generation}"
    streams = max((flow.connections for flow in flows), default=0)
    found: Parameters = {
        "program": program,
        "protocol": "udp" if any(flow.protocol == "udp" for flow in flows) else "tcp",
        "direction": _direction(test, flows),
        **({"streams": streams} if streams else {}),
    }
    if completeness != "partial" and (seconds := _seconds(flows, generation)):
        found["seconds"] = seconds
    if (omit := _omitted(test)) is not None:
        found["omit"] = omit
    port = test.listens if test.server else test.port
    if port and port != PORTS[program]:
        found["port"] = port
    if {"bytes", "blocks"} & test.stated.keys():
        found.pop("seconds", None)
    if "rate" not in test.stated:
        found |= rate_of_sender(flows)
    return found | _own_connections(test, found) | test.stated


def _direction(test: Test, flows: Sequence[Flow]) -> str:
    roles = any(row.role for row in [*test.rows, *test.summary])
    if roles or any(ends.both for ends in test.connections.values()):
        return "bidirectional"
    return direction_of(flows)


def _own_connections(test: Test, found: Parameters) -> Parameters:
    """Iperf 2 -d and -r open a connection for the way back."""
    if test.shape == 3 or test.port is None or test.listens is None:
        return {}
    ends = test.connections.values()
    calls = any(each.remote == test.port for each in ends)
    serves = any(each.local == test.listens for each in ends)
    if calls and serves and found["direction"] == "bidirectional":
        return {"dualtest": True}
    back = calls if test.server else serves
    return {"tradeoff": True} if back and calls is not serves else {}


def _seconds(flows: Sequence[Flow], generation: int) -> int:
    """Whole seconds of the test; 0 for less than one, or where an amount of data ended it."""
    shortest = min((row.end for flow in flows for row in flow.streams), default=0.0)
    whole = floor(shortest + max(_LESS, _OF_LONG * shortest))
    late = shortest - whole
    return whole if late <= max(_MORE[generation], _OF_LONG * shortest) else 0


def _omitted(test: Test) -> int | None:
    """The seconds that iperf3 left out; None where the rows do not show the beginning."""
    ends = [row.end for row in test.rows if row.omitted]
    if ends:
        return round(max(ends))
    begins = test.rows and test.rows[0].start < SLACK and test.shape == 3
    return 0 if begins and test.summary else None


def _target(test: Test) -> str:
    """The server's host: as the client names it, or the address at which the server was reached."""
    if not test.server:
        return test.host
    ends = next((each for each in test.connections.values() if each.local == test.listens), None)
    ends = ends or next(iter(test.connections.values()), None)
    return ends.local_host if ends else ""


def _client(test: Test) -> str:
    """The client's host, which a server names."""
    if not test.server:
        return ""
    ends = next(iter(test.connections.values()), None)
    return test.client or (ends.remote_host if ends else "")
