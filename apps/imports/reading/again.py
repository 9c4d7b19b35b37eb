"""Files of an import that are read once more, as a person changed how they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apps.imports.content import content_of
from apps.imports.models import ImportFile
from apps.imports.reading.around import MOST_TEXT, SentText
from apps.imports.reading.beside import monitored_tests
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
        sent=sent_text(main, members.get("stdout", b""), _pieces(main)),
        commands=not main.ignore_commands,
    )


def sent_text(main: ImportFile, data: bytes, pieces: Iterable[ImportFile] = ()) -> SentText:
    """The text that a file was sent in, its bytes or that it was cut from. `pieces`: the files that
    were cut from texts."""
    whole = main.cut_from
    if whole is None:
        return SentText(data)
    text = content_of(whole) if whole.size <= MOST_TEXT else b""
    return SentText(text, main.lines, monitored_tests(main, pieces))


def _pieces(main: ImportFile) -> Iterable[ImportFile]:
    return main.cut_from.pieces.defer("content").order_by("number") if main.cut_from else ()
