"""A dd command in the text around its output -> what was measured, and with which parameters.

The operands are those of dd(1); sizes follow coreutils (xstrtol.c): k, M, G are 1024, kB, MB, GB
1000, b is 512, w is 2, and 2x1k multiplies. BSD's lower-case m and g are 1024 as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.values import Parameters

Direction = Literal["write", "read", "copy", "memory", "unknown"]

_COMMAND = re.compile(r"(?:^|[^\w.-])dd((?:\s{1,20}[a-z]{2,6}=[^\s;|&<>)`]{1,300}){1,20})")
_OPERAND = re.compile(r"([a-z]{2,6})=([^\s;|&<>)`]{1,300})")
_REDIRECT = re.compile(r"(?<![\d>&])([<>]{1,2})\s{0,3}([^\s;|&<>)`]{1,300})")
_LABEL = re.compile(
    r"^\s{0,20}[-*#(\[]{0,2}\s{0,3}(w|wr|writes?|writing|r|rd|reads?|reading|写|读)\s{0,3}[\])]?\s{0,3}"
    r"[:：=]",
    re.IGNORECASE,
)
_WRITES = frozenset({"w", "wr", "write", "writes", "writing", "写"})
_SIZE = re.compile(r"^(\d{1,15})(?:([kmgtpe])(i?b)?|([cwb]))?$", re.IGNORECASE)
_SMALL = {"c": 1, "w": 2, "b": 512}
_SOURCES = frozenset({"/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"})
_SINKS = frozenset({"/dev/null", "/dev/zero"})
_LARGEST = 2**62


@dataclass(frozen=True)
class Invocation:
    """The operands of one command; empty where the text has none."""

    operands: Mapping[str, str] = field(default_factory=dict)

    @property
    def direction(self) -> Direction:
        """The direction of the rate: zeros to a place are a write, a place to nowhere is a
        read."""
        source, sink = self.operands.get("if"), self.operands.get("of")
        if source is None or sink is None:
            return "unknown"
        made, dropped = source in _SOURCES, sink in _SINKS
        if made and dropped:
            return "memory"
        if made:
            return "write"
        return "read" if dropped else "copy"

    def params(self) -> Parameters:
        """The room's parameters, as far as the command says: bytes and flags."""
        if not self.operands:
            return {}
        found: Parameters = {}
        if self.direction in ("read", "write"):
            found["rw"] = self.direction
        bs, count = self._size("bs"), self._size("count")
        if bs:
            found["bs"] = bs
        if bs and count and bs * count < _LARGEST:
            found["size"] = bs * count
        return found | self._flags()

    def _size(self, name: str) -> int | None:
        text = self.operands.get(name)
        return None if text is None else parse_size(text)

    def _flags(self) -> Parameters:
        side = "iflag" if self.direction == "read" else "oflag"
        flags = self.operands.get(side, "").split(",")
        conversions = self.operands.get("conv", "").split(",")
        found: Parameters = {name: name in flags for name in ("direct", "sync", "dsync")}
        return found | {"fdatasync": "fdatasync" in conversions}


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


def find_label(line: str) -> Direction | None:
    """ "write" or "read" where a line begins with such a word of somebody's own: "W: ..."."""
    found = _LABEL.match(line[:100])
    return None if found is None else "write" if found[1].lower() in _WRITES else "read"


def find_invocation(line: str) -> Invocation | None:
    """The dd command of a line; those of a pipe count as one, from the first input to the last
    output."""
    commands = _COMMAND.findall(line[:4_000])
    if not commands:
        return None
    operands: dict[str, str] = {}
    for command in commands:
        operands |= {name: value.strip("'\"") for name, value in _OPERAND.findall(command)}
    for sign, place in _REDIRECT.findall(line[:4_000]):
        operands.setdefault("if" if sign == "<" else "of", place)
    return Invocation(operands)


def parse_size(text: str) -> int | None:
    """Bytes from dd's "4k", "32M", "1MB", "2x512", None where that is no size."""
    product = 1
    for factor in text.split("x")[:8]:
        match = _SIZE.match(factor)
        if not match:
            return None
        product *= int(match[1]) * _unit(match)
    return product if 0 < product < _LARGEST else None


def _unit(match: re.Match[str]) -> int:
    if match[4]:
        return _SMALL[match[4].lower()]
    if not match[2]:
        return 1
    base = 1000 if (match[3] or "").lower() == "b" else 1024
    power: int = base ** ("kmgtpe".index(match[2].lower()) + 1)
    return power
