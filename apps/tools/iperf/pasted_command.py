"""Convert a command line of iperf3 or iperf 2 to a step of a plan (iperf3(1), iperf(1))."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from apps.tools.iperf.params import IperfParams
from apps.tools.iperf.parser.invocation import Invocation, invocation_of, options_of
from apps.tools.iperf.parser.options import LEFT, Option
from apps.tools.messages import message
from apps.tools.pasted_commands.call import (
    Call,
    CommandError,
    CommandNote,
    ParsedCommand,
    ParsedStep,
)
from apps.tools.values import RawValue

PROGRAMS: Mapping[str, str] = {"iperf3": "iperf3", "iperf": "iperf2", "iperf2": "iperf2"}
_REPORT = message("benchlab chooses what iperf reports itself.")
_ENDS = message("The plan's targets set the hosts and addresses of both ends.")
_SERVER = message("Not necessary: benchlab starts the server on the other end.")
_NOTHING = message("It measures nothing and was left out.")
_NONE = message("A step of iperf has no such option.")
_ADDRESSES = frozenset({"B", "bind", "4", "version4", "6", "version6", "ipv6_domain"})
_INFORMATION = frozenset({"v", "version", "h", "help"})
_Used = tuple[Option, str | None, str]


def parse_command(call: Call) -> ParsedCommand:
    """Return the test of a client's command line; that of a server has none.

    Raises: CommandError.
    """
    program = PROGRAMS[call.program]
    options = list(options_of(program, call.argv[1:]))
    if any(option.meaning == "server" for option, _value, _written in options):
        return ParsedCommand(notes=(CommandNote("left", " ".join(call.argv), _SERVER),))
    if any(_name(written) in _INFORMATION for _option, _value, written in options):
        return ParsedCommand(notes=(CommandNote("left", " ".join(call.argv), _NOTHING),))
    invocation = invocation_of(program, call.argv[1:])
    if invocation is None:
        raise CommandError(message("It names no server (-c) that it sends to."))
    if {"reverse", "bidirectional"} <= {option.meaning for option, _value, _written in options}:
        raise CommandError(message("It has two directions: iperf takes one of them."), "-R")
    notes = tuple(_notes(options))
    params = _params(invocation, options)
    return ParsedCommand((ParsedStep("iperf", params, invocation.host),), notes)


def _name(written: str) -> str:
    """Return the letter or the long name of an option as written."""
    return re.split(r"[ =]", written.lstrip("-"), maxsplit=1)[0]


def _notes(options: Sequence[_Used]) -> Iterator[CommandNote]:
    """Yield a note about each option that a step omits."""
    for option, _value, written in options:
        if option.meaning == "host" or _name(written) in _ADDRESSES:
            yield CommandNote("left", written, _ENDS)
        elif option.meaning == LEFT:
            yield CommandNote("left", written, _REPORT)


def _params(invocation: Invocation, options: Sequence[_Used]) -> dict[str, RawValue]:
    """Return the parameters of a step.

    Raises: CommandError for an option that no step has.
    """
    unread = [written for written in invocation.unread if _name(written) not in _ADDRESSES]
    if unread:
        raise CommandError(_NONE, unread[0])
    params: dict[str, RawValue] = {}
    for name, value in invocation.params.items():
        if name not in IperfParams.table or not isinstance(value, (str, int)):
            raise _unsupported(name, value, invocation, options)
        params[name] = value
    return params


def _unsupported(
    name: str, value: object, invocation: Invocation, options: Sequence[_Used]
) -> CommandError:
    """Return the reason why a step lacks a parameter of the command."""
    written = next((text for option, _value, text in options if option.meaning == name), "")
    if name != "rate":
        return CommandError(_NONE, written or name)
    if not written:
        reason = message(
            "Without -b it sends 1.048576 Mbit/s, and a step has whole Mbit/s: write a rate."
        )
        return CommandError(reason, "-u")
    reason = message(
        "%(program)s reads it as %(rate)s Mbit/s, and a step has whole Mbit/s.",
        program="iperf 2" if invocation.program == "iperf2" else invocation.program,
        rate=f"{float(str(value)):.10g}",
    )
    return CommandError(reason, written)
