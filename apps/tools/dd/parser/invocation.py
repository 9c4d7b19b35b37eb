"""Parse a dd command in the text around its output: operands and direction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Direction = Literal["write", "read", "copy", "memory", "unknown"]

# Words of a shell: quoted, arithmetic ("$((1024*4))"), or the output of another command.
_VALUE = (
    r"(?:`[^`\n]{1,200}`|(?:\$\(\([^()\n]{0,80}\)\)|\$\([^()\n]{0,200}\)|\"[^\"\n]{0,300}\""
    r"|'[^'\n]{0,300}'|[^\s;|&<>()`\"']){1,300})"
)
_COMMAND = re.compile(rf"(?:^|[^\w.-])dd((?:\s{{1,20}}[a-z]{{2,6}}={_VALUE}){{1,20}})")
_OPERAND = re.compile(rf"([a-z]{{2,6}})=({_VALUE})")
_LOST = re.compile(
    r"[^;|&<>()`\n]{0,300}?\s((?:bs|ibs|obs|count|iflag|oflag|conv|if|of)=\S{1,100})"
)
_OPERANDS = re.compile(
    r"\s{0,20}(?:(?:if|of|bs|ibs|obs|cbs|count|skip|seek|iflag|oflag|conv|status)="
    r"[^\s;|&<>)`]{1,300}(?:\s{1,20}|$)){1,12}$"
)
_REDIRECT = re.compile(r"(?<![\d>&])([<>]{1,2})\s{0,3}([^\s;|&<>)`]{1,300})")
_LABEL = re.compile(
    r"^\s{0,20}[-*#(\[]{0,2}\s{0,3}(w|wr|writes?|writing|r|rd|reads?|reading|写|读)\s{0,3}[\])]?\s{0,3}"
    r"[:：=]",
    re.IGNORECASE,
)
_WRITES = frozenset({"w", "wr", "write", "writes", "writing", "写"})
ZEROS = frozenset({"/dev/zero", "/dev/full"})
_SOURCES = ZEROS | {"/dev/urandom", "/dev/random"}
_SINKS = frozenset({"/dev/null", "/dev/zero"})


@dataclass(frozen=True)
class Invocation:
    """Operands of one command; empty if the text has no command.

    - `line`: its line number from 1.
    - `piped`: several dd commands are joined by pipes.
    - `loop`: the command for each word of a loop around it.
    - `lost`: the first operand after words that are no operands.
    """

    operands: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None
    piped: bool = False
    lost: str = ""
    loop: tuple[str, ...] = ()

    @property
    def direction(self) -> Direction:
        """Return the direction of the rate.

        Zeros to a target are a write; a target to /dev/null is a read.
        """
        source, sink = self.operands.get("if"), self.operands.get("of")
        if source is None or sink is None:
            return "unknown"
        is_source, is_sink = source in _SOURCES, sink in _SINKS
        if is_source and is_sink:
            return "memory"
        if is_source:
            return "write"
        return "read" if is_sink else "copy"

    @property
    def target(self) -> str:
        """Return the measured disk or file; empty if the command has none."""
        source, sink = self.operands.get("if", ""), self.operands.get("of", "")
        if self.direction == "memory":
            return ""
        return source if self.direction == "read" or sink in ("", *_SINKS) else sink

    @property
    def is_endless(self) -> bool:
        """Return True if the source is endless and returns whole blocks.

        Only an interrupt or an error then ends the copy early.
        """
        return self.operands.get("if") in ZEROS

    @property
    def is_device(self) -> bool:
        """Return True if the target is a device, which cannot be truncated."""
        return self.target.startswith("/dev/")


def assign_commands(
    commands: Sequence[Invocation], labels: Sequence[Direction | None]
) -> list[Invocation]:
    """Return the command of each result that follows several commands.

    A labelled result gets the last command of its direction. If there are as many results as
    commands, they have the same order. With more results the order is unknown, so they get only
    what all commands agree on. With fewer results the other commands printed nothing, and the last
    command applies.
    """
    if len(commands) < 2:
        return [commands[0] if commands else Invocation()] * len(labels)
    if not any(labels) and len(labels) == len(commands):
        return list(commands)
    agreed = len({each.direction for each in commands}) == 1 or len(labels) < len(commands)
    default = commands[-1] if agreed else Invocation()
    return [_of_direction(commands, label) if label else default for label in labels]


def _of_direction(commands: Sequence[Invocation], direction: Direction) -> Invocation:
    matches = [each for each in commands if each.direction == direction]
    return matches[-1] if matches else Invocation()


def with_operands(command: Invocation, line: str) -> Invocation:
    """Return the command with the operands of a wrapped next line; other lines change nothing."""
    if not _OPERANDS.match(line[:4_000]):
        return command
    rest = {name: value.strip("'\"") for name, value in _OPERAND.findall(line[:4_000])}
    return replace(command, operands={**command.operands, **rest})


def find_label(line: str) -> Direction | None:
    """Return "write" or "read" if a line begins with such a label of the user: "W: ..."."""
    match = _LABEL.match(line[:100])
    return None if match is None else "write" if match[1].lower() in _WRITES else "read"


def find_invocation(line: str) -> Invocation | None:
    """Return the dd command of a line.

    The commands of a pipe count as one, from the first input to the last output.
    """
    commands = list(_COMMAND.finditer(line[:4_000]))
    if not commands:
        return None
    operands: dict[str, str] = {}
    for command in commands:
        operands |= {name: value.strip("'\"") for name, value in _OPERAND.findall(command[1])}
    lost = _LOST.match(line[:4_000], commands[-1].end())
    for sign, path in _REDIRECT.findall(line[:4_000]):
        operands.setdefault("if" if sign == "<" else "of", path)
    return Invocation(operands, piped=len(commands) > 1, lost=lost[1] if lost else "")
