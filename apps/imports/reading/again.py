"""Files of an import that are read once more, as a person changed how they are read."""

from __future__ import annotations

from collections.abc import Sequence

from apps.imports.content import content_of
from apps.imports.models import ImportFile
from apps.imports.reading.around import MOST_TEXT, SentText
from apps.imports.reading.result import ResultRead, read_result


def file_read(main: ImportFile, parts: Sequence[ImportFile], *, names: bool = True) -> ResultRead:
    """Read a file with its parts. `names`: those of jobs tell tests apart."""
    members = {row.role: content_of(row) for row in (main, *parts)}
    return read_result(
        members,
        tool=main.tool,
        said=main.said,
        names=names,
        as_run=main.of.as_run,
        sent=sent_text(main, members.get("stdout", b"")),
        commands=not main.ignore_commands,
    )


def sent_text(main: ImportFile, data: bytes) -> SentText:
    """The text that a file was sent in, its bytes or that it was cut from."""
    whole = main.cut_from
    if whole is None:
        return SentText(data)
    return SentText(content_of(whole) if whole.size <= MOST_TEXT else b"", main.lines)
