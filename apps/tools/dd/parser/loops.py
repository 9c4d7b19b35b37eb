"""Results of one command that a shell called several times: those of a loop, and reports that a
signal asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.tools.loops import separate
from apps.tools.text import count

from .invocation import Invocation, find_invocation
from .operands import meaning
from .report_lines import DdFigures


def called(line: str, looped: Sequence[str]) -> list[Invocation]:
    """The commands of a line in their order; of a loop one, with what it calls for each word.
    `looped`: the line in the loops around it.
    """
    found = _invocations([line])
    if not looped or not found:
        return found
    # Of several commands in a loop none is that of all results.
    only = found[0] if len(found) == 1 else Invocation()
    return [replace(only, loop=tuple(separate(looped)))]


def _invocations(lines: Sequence[str]) -> list[Invocation]:
    found = [find_invocation(command) for command in separate(lines)]
    return [each for each in found if each is not None]


def unrolled(commands: Sequence[Invocation], results: int) -> list[Invocation]:
    """The commands of a loop, one for each of its words, where there are as many results; else the
    same commands.
    """
    if len(commands) != 1 or not commands[0].loop:
        return list(commands)
    each_time = _invocations(commands[0].loop)
    if len(each_time) != results:
        return list(commands)
    return [replace(each, line=commands[0].line) for each in each_time]


def is_report(before: DdFigures, after: DdFigures, commands: Sequence[Invocation]) -> bool:
    """Whether a result is a report that the same run printed on the way (SIGUSR1, SIGINFO): the
    command asks for more, and the next result has more.
    """
    if len(commands) != 1 or commands[0].loop:
        return False
    asked = count(meaning(commands[0]).params.get("size"))
    grows = before.bytes < after.bytes and before.seconds < after.seconds
    return before.bytes < asked and after.bytes <= asked and grows
