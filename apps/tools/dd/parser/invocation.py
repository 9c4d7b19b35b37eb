"""A dd command in the text around its output: its operands, and the direction they give."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Direction = Literal["write", "read", "copy", "memory", "unknown"]

# Words of a shell: quoted, calculated ("$((1024*4))"), or what another command prints.
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
    """The operands of one command; empty where the text has none. `line`: where it stands, from 1;
    `piped`: several of them are joined by pipes; `loop`: the command for each word of a loop around
    it; `lost`: the first operand behind words that are none.
    """

    operands: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None
    piped: bool = False
    lost: str = ""
    loop: tuple[str, ...] = ()

    @property
    def direction(self) -> Direction:
        """The direction of the rate: zeros to a place are a write, a place to nowhere is a
        read.
        """
        source, sink = self.operands.get("if"), self.operands.get("of")
        if source is None or sink is None:
            return "unknown"
        made, dropped = source in _SOURCES, sink in _SINKS
        if made and dropped:
            return "memory"
        if made:
            return "write"
        return "read" if dropped else "copy"

    @property
    def target(self) -> str:
        """The disk or file that is measured; empty where the command names none."""
        source, sink = self.operands.get("if", ""), self.operands.get("of", "")
        if self.direction == "memory":
            return ""
        return source if self.direction == "read" or sink in ("", *_SINKS) else sink

    @property
    def is_endless(self) -> bool:
        """Whether the source has no end and gives whole blocks, so that only an interrupt or an
        error ends it early.
        """
        return self.operands.get("if") in ZEROS

    @property
    def is_device(self) -> bool:
        """Whether the target is a device, which cannot be truncated."""
        return self.target.startswith("/dev/")


def shared(commands: Sequence[Invocation], labels: Sequence[Direction | None]) -> list[Invocation]:
    """The command of each of the results that follow some commands. A result that is labelled has
    the last command of its direction; as many results as commands follow their order; of more
    results nobody knows the order, so they have what all commands agree on. Fewer results than
    commands: the others printed nothing, and the last one counts.
    """
    if len(commands) < 2:
        return [commands[0] if commands else Invocation()] * len(labels)
    if not any(labels) and len(labels) == len(commands):
        return list(commands)
    agreed = len({each.direction for each in commands}) == 1 or len(labels) < len(commands)
    usual = commands[-1] if agreed else Invocation()
    return [_of_direction(commands, label) if label else usual for label in labels]


def _of_direction(commands: Sequence[Invocation], wanted: Direction) -> Invocation:
    fitting = [each for each in commands if each.direction == wanted]
    return fitting[-1] if fitting else Invocation()


def with_operands(command: Invocation, line: str) -> Invocation:
    """The command with the operands of the next line, where a mailer wrapped it; the same for any
    other line.
    """
    if not _OPERANDS.match(line[:4_000]):
        return command
    rest = {name: value.strip("'\"") for name, value in _OPERAND.findall(line[:4_000])}
    return replace(command, operands={**command.operands, **rest})


def find_label(line: str) -> Direction | None:
    """ "write" or "read" where a line begins with such a word of somebody's own: "W: ..."."""
    found = _LABEL.match(line[:100])
    return None if found is None else "write" if found[1].lower() in _WRITES else "read"


def find_invocation(line: str) -> Invocation | None:
    """The dd command of a line; those of a pipe count as one, from the first input to the last
    output.
    """
    commands = list(_COMMAND.finditer(line[:4_000]))
    if not commands:
        return None
    operands: dict[str, str] = {}
    for command in commands:
        operands |= {name: value.strip("'\"") for name, value in _OPERAND.findall(command[1])}
    lost = _LOST.match(line[:4_000], commands[-1].end())
    for sign, place in _REDIRECT.findall(line[:4_000]):
        operands.setdefault("if" if sign == "<" else "of", place)
    return Invocation(operands, piped=len(commands) > 1, lost=lost[1] if lost else "")
