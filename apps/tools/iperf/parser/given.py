"""Assign the commands of a text to the tests that they printed.

Consecutive commands are followed by their outputs. As many outputs as commands have the same order;
with fewer outputs, the first commands printed nothing. A loop repeats its command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.tools.iperf.params import PORTS
from apps.tools.values import Parameters

from .invocation import Invocation

# Tests end later than requested, because the last data is in flight.
MAX_DELAY_SHARE = 0.2
# Options of iperf 2 with a separate connection for the second direction, which may fail.
BOTH_WAYS = {"dualtest", "tradeoff"}
_SAME = ("program", "protocol", "streams", "direction")


@dataclass(frozen=True)
class Call:
    """One output of a text, or the error of a call without output.

    `whole`: `seconds` covers the whole test.
    """

    line: int
    params: Parameters
    server: bool = False
    host: str = ""
    whole: bool = True


def commands_of(calls: Sequence[Call], commands: Sequence[Invocation]) -> list[Invocation | None]:
    """Return the command of each output, None if no command fits."""
    assigned: dict[int, Invocation] = {}
    for block, outputs_of_block in _blocks(calls, commands):
        for server in (False, True):
            same_end = [command for command in block if command.server is server]
            indexes = [index for index in outputs_of_block if calls[index].server is server]
            assigned |= dict(zip(indexes, _per_output(same_end, len(indexes)), strict=False))
    return [_fitted(assigned.get(index), call) for index, call in enumerate(calls)]


def _blocks(
    calls: Sequence[Call], commands: Sequence[Invocation]
) -> Iterator[tuple[list[Invocation], list[int]]]:
    """Yield consecutive commands with the indexes of the outputs after them."""
    block: list[Invocation] = []
    outputs_of_block: list[int] = []
    waiting = list(reversed(commands))
    for index, call in enumerate(calls):
        while waiting and waiting[-1].line <= call.line:
            if outputs_of_block:
                yield block, outputs_of_block
                block, outputs_of_block = [], []
            block.append(waiting.pop())
        outputs_of_block.append(index)
    yield block, outputs_of_block


def _per_output(commands: Sequence[Invocation], outputs: int) -> list[Invocation]:
    """Return the command of each output of a block."""
    if not commands or not outputs:
        return []
    if len(commands) == 1:
        repeats = commands[0].repeats or commands[0].server
        twice = 2 if "tradeoff" in commands[0].params else 1
        return [commands[0]] * (outputs if repeats else twice)
    return list(commands[-outputs:])


def _fitted(command: Invocation | None, call: Call) -> Invocation | None:
    """Return the command if its parameters do not contradict the output's."""
    if command is None:
        return None
    if call.server:
        return command if command.program == call.params.get("program") else None
    command = _udp_by_rate(command, call)
    params, stated = command.params, call.params
    same = params.keys() & stated.keys() - ({"direction"} if params.keys() & BOTH_WAYS else set())
    if any(params[name] != stated[name] for name in _SAME if name in same):
        return None
    if call.host and not _reaches(command, call):
        return None
    return command if not call.whole or _lasts(params, stated) else None


def _reaches(command: Invocation, call: Call) -> bool:
    """Return True if host and port of the command are the output's; a variable matches any host."""
    ports = {each.get("port", PORTS[command.program]) for each in (command.params, call.params)}
    return ("$" in command.host or command.host == call.host) and len(ports) == 1


def _udp_by_rate(command: Invocation, call: Call) -> Invocation:
    """Return the command with protocol UDP for a rate (-b) before 2.0.10."""
    old = command.program == "iperf2" and "rate" in command.params
    if old and call.params.get("protocol") == "udp":
        return replace(command, params=command.params | {"protocol": "udp"})
    return command


def _lasts(params: Parameters, stated: Parameters) -> bool:
    """Return True if the duration of the test is close to the command's."""
    requested, took = params.get("seconds"), stated.get("seconds")
    if not isinstance(requested, (int, float)) or not isinstance(took, (int, float)):
        return True
    return abs(took - requested) <= max(1.0, MAX_DELAY_SHARE * requested)
