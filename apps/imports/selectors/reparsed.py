"""Parse files of an import from their rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from apps.blobs.domain.compression import decompress
from apps.imports.domain.around import MAX_TEXT, SentText
from apps.imports.domain.parse_result import ParseResult, read_result
from apps.imports.models import ImportFile
from apps.imports.selectors.companion_files import monitored_tests
from apps.imports.selectors.content import content_of
from apps.tools.registry import reads_in_pieces
from apps.tools.split_output.splitter import MAX_SPLIT_BYTES as NEVER_SPLIT
from apps.tools.text import MAX_OUTPUT
from apps.tools.values import Parameters


def file_read(main: ImportFile, parts: Sequence[ImportFile], *, names: bool = True) -> ParseResult:
    """Parse a file with its parts again. `names`: job names tell tests apart."""
    return members_read(
        {row.role: row for row in (main, *parts)},
        tool=main.tool,
        path_params=main.path_params,
        job_options=main.batch.job_options,
        pieces=_pieces(main),
        names=names,
        commands=not main.ignore_commands,
    )


def members_read(
    members: Mapping[str, ImportFile],
    *,
    tool: str,
    path_params: Parameters,
    job_options: str,
    pieces: Iterable[ImportFile] = (),
    names: bool = True,
    commands: bool = True,
) -> ParseResult:
    """Parse the files of one result, the main one first; large logs in pieces.

    `pieces`: the files that were split from texts. Other parameters as in `read_result`.
    """
    large = {
        role: decompress([bytes(row.content)], row.size)
        for role, row in members.items()
        if NEVER_SPLIT < row.size <= MAX_OUTPUT and reads_in_pieces(tool, role)
    }
    files = {role: b"" if role in large else content_of(row) for role, row in members.items()}
    main = next(iter(members.values()))
    return read_result(
        files,
        tool=tool,
        path_params=path_params,
        names=names,
        job_options=job_options,
        large=large,
        sent=sent_text(main, files.get("stdout", b""), pieces),
        commands=commands,
    )


def sent_text(main: ImportFile, data: bytes, pieces: Iterable[ImportFile] = ()) -> SentText:
    """Return the submitted text of a file: its own bytes, or the text it was split from.

    `pieces`: the files that were split from texts.
    """
    whole = main.split_from
    if whole is None:
        return SentText(data)
    text = content_of(whole) if whole.size <= MAX_TEXT else b""
    return SentText(text, main.lines, monitored_tests(main, pieces))


def _pieces(main: ImportFile) -> Iterable[ImportFile]:
    return main.split_from.pieces.defer("content").order_by("number") if main.split_from else ()
