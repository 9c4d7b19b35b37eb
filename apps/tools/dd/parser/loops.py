"""Results of a command that runs several times, and intermediate reports after a signal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.tools.loops import separate
from apps.tools.text import count

from .invocation import Invocation, find_invocation
from .operands import meaning
from .report_lines import DdFigures


def called(line: str, looped: Sequence[str]) -> list[Invocation]:
    """Return the commands of a line in order; of a loop one, with its expansion for each word.

    `looped`: the line in the loops around it.
    """
    invocations = _invocations([line])
    if not looped or not invocations:
        return invocations
    # With several commands in a loop, none applies to all results.
    only = invocations[0] if len(invocations) == 1 else Invocation()
    return [replace(only, loop=tuple(separate(looped)))]


def _invocations(lines: Sequence[str]) -> list[Invocation]:
    invocations = [find_invocation(command) for command in separate(lines)]
    return [each for each in invocations if each is not None]


def unrolled(commands: Sequence[Invocation], results: int) -> list[Invocation]:
    """Return the commands of a loop, one per word, if there are as many results.

    Otherwise the same commands are returned.
    """
    if len(commands) != 1 or not commands[0].loop:
        return list(commands)
    expanded = _invocations(commands[0].loop)
    if len(expanded) != results:
        return list(commands)
    return [replace(each, line=commands[0].line) for each in expanded]


def is_report(before: DdFigures, after: DdFigures, commands: Sequence[Invocation]) -> bool:
    """Return True if a result is an intermediate report of the same run (SIGUSR1, SIGINFO).

    The command then requests more bytes, and the next result has more.
    """
    if len(commands) != 1 or commands[0].loop:
        return False
    requested_bytes = count(meaning(commands[0]).params.get("size"))
    grows = before.bytes < after.bytes and before.seconds < after.seconds
    return before.bytes < requested_bytes and after.bytes <= requested_bytes and grows
