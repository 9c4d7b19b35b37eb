"""Pieces of a pasted text beside calls: functions and variables without use, outputs, prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apps.tools.messages import TranslatableMessage, message
from apps.tools.registry import recognise

from .job_import import OutputLines
from .reading import PastedText
from .shell.logical_lines import LogicalLine


def note_remains(reading: PastedText) -> None:
    """Notes on functions and variables without use, and on lines that are no commands."""
    for name, line in reading.runner.never_called():
        why = message("Nothing in the text calls this function, so its commands are no steps.")
        reading.note(line, "left", why, name)
    for name, line in reading.runner.unused():
        why = message("This sets a variable that no command of the text uses.")
        reading.note(line, "left", why, name)
    for group in _groups(reading.lines):
        _note_lines(reading, group)


def _note_lines(reading: PastedText, group: list[LogicalLine]) -> None:
    """Lines between commands: a tool's output, or text."""
    first, last = group[0].first, group[-1].last
    rows = reading.text.replace("\r\n", "\n").split("\n")[first - 1 : last]
    data = "\n".join(rows).encode()
    plugin = recognise(data)
    where = _lines_in_words(first, last)
    calls = [str(line.first) for line in group if reading.known.is_call(line.text)]
    if plugin is None and calls:
        why = message(
            "A benchmark is named in line %(lines)s, which does not begin with its command: begin "
            "it so, and leave other words out.",
            lines=", ".join(calls[:10]),
        )
        reading.note(int(calls[0]), "refused", why)
    if plugin is None:
        why = message("%(lines)s: no command, not read.", lines=where)
        reading.note(first, "left", why)
        return
    reading.outputs.append(OutputLines(first, last, plugin.name))
    why = message(
        "%(lines)s: an output of %(tool)s, which can be imported.",
        lines=where,
        tool=plugin.label,
    )
    reading.note(first, "left", why)


def _lines_in_words(first: int, last: int) -> TranslatableMessage:
    if last == first:
        return message("Line %(first)d", first=first)
    return message("Lines %(first)d to %(last)d", first=first, last=last)


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
