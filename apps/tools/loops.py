"""Commands that a shell's loop over words called: "for t in 1 16; do rados ... -t $t; done"."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import islice

_LOOP = re.compile(
    r"\bfor\s{1,9}(?P<name>[A-Za-z_]\w{0,30})\s{1,9}in\s(?P<words>[^;|&<>$`*{]{1,400});"
)
# The first line of a loop whose commands stand below it, and the last one.
_HEAD = re.compile(
    r"^(?:[^#$%]{0,80}[#$%]\s{0,9})?for\s{1,9}[A-Za-z_]\w{0,30}\s{1,9}in\s[^;|&<>$`*{]{1,400}(?=;?\s{0,9}(?:do)?\s{0,9}$)"
)
_DONE = re.compile(r"done\b")
_NEXT = re.compile(r";|&&")
_LONGEST = 4_000
MOST_CALLS = 100


def loop_lines(line: str) -> tuple[str, ...]:
    """The commands of a loop in this line, once for each word with the word in place of the
    variable, and of loops inside it; empty for any other line.
    """
    if "for" not in line or _LOOP.search(line[:_LONGEST]) is None:
        return ()
    return tuple(islice(_commands(line[:_LONGEST]), MOST_CALLS))


def separate(lines: Iterable[str]) -> list[str]:
    """The commands of lines, which a semicolon or "&&" parts."""
    return [command for line in lines for command in _NEXT.split(line[:_LONGEST])]


def _commands(line: str) -> Iterator[str]:
    found = _LOOP.search(line)
    if found is None:
        yield line
        return
    name, body = found["name"], line[found.end() :]
    variable = re.compile(rf"\$(?:{name}\b|\{{{name}\}})")
    for word in _words(found["words"]):
        plain = word.replace("\\", r"\\")
        yield from _commands(variable.sub(plain, body)[:_LONGEST])


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


class OpenLoops:
    """The loops of a text that stand in several lines: "for t in 1 16", "do", "...", "done"."""

    def __init__(self) -> None:
        self._heads = ""

    def commands(self, line: str) -> tuple[str, ...]:
        """The commands of this line inside the loops around it; empty where there are none."""
        plain = line.strip().lstrip("> ")
        if _DONE.match(plain):
            self._heads = ""
        elif found := _HEAD.search(plain):
            self._heads = f"{self._heads}{found[0].rstrip(';')}; "[-_LONGEST:]
        elif "$" in line or not self._heads:
            return loop_lines(f"{self._heads}{line}")
        return ()
