"""Commands that a shell's loop over words called: "for t in 1 16; do rados ... -t $t; done"."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import islice

_LOOP = re.compile(
    r"\bfor\s{1,9}(?P<name>[A-Za-z_]\w{0,30})\s{1,9}in\s(?P<words>[^;|&<>$`*{]{1,400});"
)
_LONGEST = 4_000
MOST_CALLS = 100


def loop_lines(line: str) -> tuple[str, ...]:
    """The commands of a loop in this line, once for each word with the word in place of the
    variable, and of loops inside it; empty for any other line."""
    if "for" not in line or _LOOP.search(line[:_LONGEST]) is None:
        return ()
    return tuple(islice(_commands(line[:_LONGEST]), MOST_CALLS))


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
