"""Expand shell loops over words: "for t in 1 16; do rados ... -t $t; done"."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import islice

_LOOP = re.compile(
    r"\bfor\s{1,9}(?P<name>[A-Za-z_]\w{0,30})\s{1,9}in\s(?P<words>[^;|&<>$`*{]{1,400});"
)
# The first and the last line of a loop whose commands are on other lines.
_HEAD = re.compile(
    r"^(?:[^#$%]{0,80}[#$%]\s{0,9})?for\s{1,9}[A-Za-z_]\w{0,30}\s{1,9}in\s[^;|&<>$`*{]{1,400}(?=;?\s{0,9}(?:do)?\s{0,9}$)"
)
_DONE = re.compile(r"done\b")
_NEXT = re.compile(r";|&&")
_MAX_LENGTH = 4_000
MAX_CALLS = 100


def loop_lines(line: str) -> tuple[str, ...]:
    """Return the commands of a loop in this line, with each word in place of the variable.

    Nested loops are expanded. Empty for any other line.
    """
    if "for" not in line or _LOOP.search(line[:_MAX_LENGTH]) is None:
        return ()
    return tuple(islice(_commands(line[:_MAX_LENGTH]), MAX_CALLS))


def separate(lines: Iterable[str]) -> list[str]:
    """Split lines into commands at semicolons and "&&"."""
    return [command for line in lines for command in _NEXT.split(line[:_MAX_LENGTH])]


def _commands(line: str) -> Iterator[str]:
    match = _LOOP.search(line)
    if match is None:
        yield line
        return
    name, body = match["name"], line[match.end() :]
    variable = re.compile(rf"\$(?:{name}\b|\{{{name}\}})")
    for word in _words(match["words"]):
        plain = word.replace("\\", r"\\")
        yield from _commands(variable.sub(plain, body)[:_MAX_LENGTH])


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


class OpenLoops:
    """State of loops over several lines: "for t in 1 16", "do", "...", "done"."""

    def __init__(self) -> None:
        self._heads = ""

    def commands(self, line: str) -> tuple[str, ...]:
        """Return the commands of this line inside its loops; empty if there are none."""
        plain = line.strip().lstrip("> ")
        if _DONE.match(plain):
            self._heads = ""
        elif match := _HEAD.search(plain):
            self._heads = f"{self._heads}{match[0].rstrip(';')}; "[-_MAX_LENGTH:]
        elif "$" in line or not self._heads:
            return loop_lines(f"{self._heads}{line}")
        return ()
