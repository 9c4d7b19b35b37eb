"""Sections from fio's command lines (init.c: `parse_cmd_line`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.tools.fio.options.catalog import aliases, facts
from apps.tools.messages import message
from apps.tools.pasted_commands.call import CommandError
from apps.tools.translation import gettext_noop as _

from .text import Option, Section

# Options of the program rather than of a job -> (note, True if a value follows) (init.c: `l_opts`).
_REPORT = _("benchlab sets fio's report itself.")
_PROGRAM: dict[str, tuple[str, bool]] = {
    **dict.fromkeys(("output", "output-format", "eta", "eta-interval"), (_REPORT, True)),
    **dict.fromkeys(("status-interval", "terse-version", "eta-newline"), (_REPORT, True)),
    **dict.fromkeys(("minimal", "append-terse", "warnings-fatal"), (_REPORT, False)),
    **dict.fromkeys(("bandwidth-log", "latency-log"), (_REPORT, False)),
    **dict.fromkeys(("max-jobs", "alloc-size"), (_("benchlab sees to it."), True)),
    "readonly": (_("A step that only reads is always run so."), False),
}


def jobs_of(words: list[str], left: list[tuple[str, str]]) -> list[Section]:
    """Return the jobs of one call.

    Options before the first --name apply to all jobs, as in [global]. Raises: CommandError.
    """
    shared: list[Option] = []
    current = shared
    result: list[Section] = []
    for name, value in pairs_of(words):
        if name in _PROGRAM:
            left.append((f"--{name}" if value is None else f"--{name}={value}", program_note(name)))
        elif name == "name" and (value or "").startswith("global"):
            current = shared
        elif name == "name":
            result.append(Section(value or "", list(shared)))
            current = result[-1].options
        else:
            current.append(Option(name, value))
    if not result:
        raise CommandError(message("A job begins with --name, and there is none."))
    return result


def _needs_value(name: str) -> bool:
    """Return True if getopt takes the next word as the option's value."""
    if name in _PROGRAM:
        return _PROGRAM[name][1]
    fact = facts().get(aliases().get(name, name))
    return fact is None or not fact.type.startswith("empty")


def program_note(name: str) -> str:
    """Return the note on an option of the program; empty for an option of a job."""
    return _PROGRAM[name][0] if name in _PROGRAM else ""


def pairs_of(words: list[str]) -> Iterator[tuple[str, str | None]]:
    """Yield options and their values, in every style of getopt.

    Raises: CommandError.
    """
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if not re.match(r"--?[A-Za-z]", word):
            raise CommandError(
                message("A job file is not read from here: paste what is in it."), word[:80]
            )
        name, mark, value = word.lstrip("-").partition("=")
        takes_next = not mark and rest and not rest[-1].startswith("-") and _needs_value(name)
        yield name, value if mark else (rest.pop() if takes_next else None)
