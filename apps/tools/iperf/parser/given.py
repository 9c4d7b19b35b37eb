"""Commands of a text -> the test that each of them printed.

Commands that stand together are followed by their outputs: as many outputs as commands are in the
same order; of fewer outputs, the first commands printed nothing. A loop repeats its command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.tools.iperf.params import PORTS
from apps.tools.values import Parameters

from .invocation import Invocation

# Tests end later than they were to, as the last data is still under way.
_LATER = 0.2
# Options of iperf 2 whose second direction is a connection of its own, which may fail.
BOTH_WAYS = {"dualtest", "tradeoff"}
_SAME = ("program", "protocol", "streams", "direction")


@dataclass(frozen=True)
class Call:
    """One output of a text, or the error of a call that has none. `whole`: its seconds are those
    of the whole test.
    """

    line: int
    params: Parameters
    server: bool = False
    host: str = ""
    whole: bool = True


def commands_of(calls: Sequence[Call], commands: Sequence[Invocation]) -> list[Invocation | None]:
    """The command of each output, None where none fits."""
    found: dict[int, Invocation] = {}
    for together, printed in _blocks(calls, commands):
        for server in (False, True):
            own = [command for command in together if command.server is server]
            places = [place for place in printed if calls[place].server is server]
            found |= dict(zip(places, _shared(own, len(places)), strict=False))
    return [_fitted(found.get(place), call) for place, call in enumerate(calls)]


def _blocks(
    calls: Sequence[Call], commands: Sequence[Invocation]
) -> Iterator[tuple[list[Invocation], list[int]]]:
    """Commands that stand together, with the places of the outputs behind them."""
    together: list[Invocation] = []
    printed: list[int] = []
    waiting = list(reversed(commands))
    for place, call in enumerate(calls):
        while waiting and waiting[-1].line <= call.line:
            if printed:
                yield together, printed
                together, printed = [], []
            together.append(waiting.pop())
        printed.append(place)
    yield together, printed


def _shared(commands: Sequence[Invocation], outputs: int) -> list[Invocation]:
    """The command of each output of a block."""
    if not commands or not outputs:
        return []
    if len(commands) == 1:
        several = commands[0].again or commands[0].server
        twice = 2 if "tradeoff" in commands[0].params else 1
        return [commands[0]] * (outputs if several else twice)
    return list(commands[-outputs:])


def _fitted(command: Invocation | None, call: Call) -> Invocation | None:
    """The command, if what it says is no other test than the output's."""
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
    """Whether host and port of the command are the output's; a variable may be any host."""
    ports = {each.get("port", PORTS[command.program]) for each in (command.params, call.params)}
    return ("$" in command.host or command.host == call.host) and len(ports) == 1


def _udp_by_rate(command: Invocation, call: Call) -> Invocation:
    """Before 2.0.10 a rate (-b) meant UDP."""
    old = command.program == "iperf2" and "rate" in command.params
    if old and call.params.get("protocol") == "udp":
        return replace(command, params=command.params | {"protocol": "udp"})
    return command


def _lasts(params: Parameters, stated: Parameters) -> bool:
    """Whether the test took about as long as the command says."""
    wanted, took = params.get("seconds"), stated.get("seconds")
    if not isinstance(wanted, (int, float)) or not isinstance(took, (int, float)):
        return True
    return abs(took - wanted) <= max(1.0, _LATER * wanted)
