"""Pieces of a pasted text beside calls: functions and variables without use, outputs, prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apps.tools.registry import recognise
from apps.tools.sentences import sentence

from .reading import PastedText
from .shell.logical_lines import LogicalLine
from .steps import OutputLines


def note_remains(reading: PastedText) -> None:
    """Notes on functions and variables without use, and on lines that are no commands."""
    for name, line in reading.runner.never_called():
        why = sentence("Nothing in the text calls this function, so its commands are no steps.")
        reading.note(line, "left", why, name)
    for name, line in reading.runner.unused():
        why = sentence("This sets a variable that no command of the text uses.")
        reading.note(line, "left", why, name)
    for group in _groups(reading.lines):
        _note_lines(reading, group)


def _note_lines(reading: PastedText, group: list[LogicalLine]) -> None:
    """Lines between commands: a tool's output, or text."""
    first, last = group[0].first, group[-1].last
    rows = reading.text.replace("\r\n", "\n").split("\n")[first - 1 : last]
    data = "\n".join(rows).encode()
    room = recognise(data)
    where = f"{first}-{last}" if last > first else str(first)
    calls = [str(line.first) for line in group if reading.known.is_call(line.text)]
    if room is None and calls:
        why = sentence(
            "Lines %(lines)s name a benchmark, but do not begin with its command: begin them with "
            "it, and leave other words out.",
            lines=", ".join(calls[:10]),
        )
        reading.note(int(calls[0]), "refused", why)
    if room is None:
        why = sentence("Lines %(lines)s are no commands and were not read.", lines=where)
        reading.note(first, "left", why)
        return
    reading.outputs.append(OutputLines(first, last, room.name))
    why = sentence(
        "Lines %(lines)s are an output of %(tool)s: it can be imported.",
        lines=where,
        tool=room.label,
    )
    reading.note(first, "left", why)


def _groups(lines: Iterable[LogicalLine]) -> Iterator[list[LogicalLine]]:
    """Stretches of lines that are no commands, without blank ones at their ends."""
    group: list[LogicalLine] = []
    for line in lines:
        if line.kind == "other" or (group and line.kind in ("blank", "comment")):
            group.append(line)
        elif group:
            yield _trimmed(group)
            group = []
    if group:
        yield _trimmed(group)


def _trimmed(group: list[LogicalLine]) -> list[LogicalLine]:
    while group[-1].kind == "blank":
        group = group[:-1]
    return group
