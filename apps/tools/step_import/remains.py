"""Notes on parts of a pasted text that are no calls: unused definitions, outputs, prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apps.tools.messages import TranslatableMessage, message
from apps.tools.pasted_commands.job_import import OutputLines
from apps.tools.registry import recognise

from .reading import PastedText
from .shell.logical_lines import LogicalLine


def note_remains(reading: PastedText) -> None:
    """Add notes on unused functions and variables, and on lines that are no commands."""
    for name, line in reading.runner.never_called():
        reason = message("Nothing in the text calls this function, so its commands are no steps.")
        reading.note(line, "left", reason, name)
    for name, line in reading.runner.unused():
        reason = message("This sets a variable that no command of the text uses.")
        reading.note(line, "left", reason, name)
    for group in _groups(reading.lines):
        _note_lines(reading, group)


def _note_lines(reading: PastedText, group: list[LogicalLine]) -> None:
    """Add a note on lines between commands: a tool's output, or text."""
    first, last = group[0].first, group[-1].last
    rows = reading.text.replace("\r\n", "\n").split("\n")[first - 1 : last]
    data = "\n".join(rows).encode()
    plugin = recognise(data)
    where = _line_range(first, last)
    calls = [str(line.first) for line in group if reading.recognition.is_call(line.text)]
    if plugin is None and calls:
        reason = message(
            "A benchmark is named in line %(lines)s, which does not begin with its command: begin "
            "it so, and leave other words out.",
            lines=", ".join(calls[:10]),
        )
        reading.note(int(calls[0]), "refused", reason)
    if plugin is None:
        reason = message("%(lines)s: no command, not read.", lines=where)
        reading.note(first, "left", reason)
        return
    reading.outputs.append(OutputLines(first, last, plugin.name))
    reason = message(
        "%(lines)s: an output of %(tool)s, which can be imported.",
        lines=where,
        tool=plugin.label,
    )
    reading.note(first, "left", reason)


def _line_range(first: int, last: int) -> TranslatableMessage:
    if last == first:
        return message("Line %(first)d", first=first)
    return message("Lines %(first)d to %(last)d", first=first, last=last)


def _groups(lines: Iterable[LogicalLine]) -> Iterator[list[LogicalLine]]:
    """Yield runs of lines that are no commands, without trailing blank lines."""
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
