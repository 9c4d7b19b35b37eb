"""Results of one command that a shell called several times: those of a loop, and reports that a
signal asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.tools.text import count

from .invocation import Invocation, find_invocation
from .operands import meaning
from .report_lines import DdFigures


def unrolled(commands: Sequence[Invocation], results: int) -> list[Invocation]:
    """The commands of a loop, one for each of its words, where there are as many results; else the
    same commands."""
    if len(commands) != 1 or len(commands[0].loop) != results:
        return list(commands)
    called = [find_invocation(line) or Invocation() for line in commands[0].loop]
    return [replace(each, line=commands[0].line) for each in called]


def is_report(before: DdFigures, after: DdFigures, commands: Sequence[Invocation]) -> bool:
    """Whether a result is a report that the same run printed on the way (SIGUSR1, SIGINFO): the
    command asks for more, and the next result has more."""
    if len(commands) != 1 or commands[0].loop:
        return False
    asked = count(meaning(commands[0]).params.get("size"))
    grows = before.bytes < after.bytes and before.seconds < after.seconds
    return before.bytes < asked and after.bytes <= asked and grows
