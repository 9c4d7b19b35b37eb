"""Build a result from a test's lines, its flows, and the command above it."""

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

# Tolerances in seconds. A receiver counts from the first data, so slightly less than the sender.
# The last data of iperf 2 may take longer than the test; iperf3 stops on time.
_MAX_EARLY, _MAX_LATE = 0.1, {2: 0.35, 3: 0.1}
_SHARE_OF_LONG = 0.005


def result_of(
    test: Test, flows: Sequence[Flow], completeness: Completeness, warnings: Sequence[str]
) -> Result:
    """Return the test with the parameters of its own lines."""
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
    """Return each result with the parameters of its command.

    `failed`: lines of calls that printed only an error.
    """
    if not commands:
        return list(results)
    calls = [_call(result) for result in results]
    calls += [Call(line, {}) for line in failed]
    order = sorted(range(len(calls)), key=lambda index: calls[index].line)
    assigned = dict(zip(order, commands_of([calls[i] for i in order], commands), strict=True))
    return [_with_command(result, assigned[index]) for index, result in enumerate(results)]


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


def _with_command(result: Result, command: Invocation | None) -> Result:
    """Add the parameters of a command to a result.

    A client's command defines its whole test, a server's only its own options. Other values are the
    output's.
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
    """Return the flows of a client that receives: its intervals are those of the receiving end."""
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
    """Return plan parameters as far as the lines contain them."""
    generation = test.shape
    program = f"iperf{generation}"
    streams = max((flow.connections for flow in flows), default=0)
    params: Parameters = {
        "program": program,
        "protocol": "udp" if any(flow.protocol == "udp" for flow in flows) else "tcp",
        "direction": _direction(test, flows),
        **({"streams": streams} if streams else {}),
    }
    if completeness != "partial" and (seconds := _seconds(flows, generation)):
        params["seconds"] = seconds
    if (omit := _omitted(test)) is not None:
        params["omit"] = omit
    port = test.listens if test.server else test.port
    if port and port != PORTS[program]:
        params["port"] = port
    if {"bytes", "blocks"} & test.stated.keys():
        params.pop("seconds", None)
    if "rate" not in test.stated:
        params |= rate_of_sender(flows)
    return params | _own_connections(test, params) | test.stated


def _direction(test: Test, flows: Sequence[Flow]) -> str:
    roles = any(row.role for row in [*test.rows, *test.summary])
    if roles or any(ends.both for ends in test.connections.values()):
        return "bidirectional"
    return direction_of(flows)


def _own_connections(test: Test, params: Parameters) -> Parameters:
    """Return the option of iperf 2 that opens a connection for the reverse direction: -d or -r."""
    if test.shape == 3 or test.port is None or test.listens is None:
        return {}
    ends = test.connections.values()
    calls = any(each.remote == test.port for each in ends)
    serves = any(each.local == test.listens for each in ends)
    if calls and serves and params["direction"] == "bidirectional":
        return {"dualtest": True}
    is_reverse = calls if test.server else serves
    return {"tradeoff": True} if is_reverse and calls is not serves else {}


def _seconds(flows: Sequence[Flow], generation: int) -> int:
    """Return the whole seconds of the test; 0 below 1 s, or if an amount of data ended it."""
    shortest = min((row.end for flow in flows for row in flow.streams), default=0.0)
    whole = floor(shortest + max(_MAX_EARLY, _SHARE_OF_LONG * shortest))
    late = shortest - whole
    return whole if late <= max(_MAX_LATE[generation], _SHARE_OF_LONG * shortest) else 0


def _omitted(test: Test) -> int | None:
    """Return the seconds that iperf3 omitted; None if the rows lack the start."""
    ends = [row.end for row in test.rows if row.omitted]
    if ends:
        return round(max(ends))
    begins = test.rows and test.rows[0].start < SLACK and test.shape == 3
    return 0 if begins and test.summary else None


def _target(test: Test) -> str:
    """Return the server's host: the client's name for it, or the address of its connection."""
    if not test.server:
        return test.host
    ends = next((each for each in test.connections.values() if each.local == test.listens), None)
    ends = ends or next(iter(test.connections.values()), None)
    return ends.local_host if ends else ""


def _client(test: Test) -> str:
    """Return the client's host, which a server's output contains."""
    if not test.server:
        return ""
    ends = next(iter(test.connections.values()), None)
    return test.client or (ends.remote_host if ends else "")
