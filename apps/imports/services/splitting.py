"""Split a text with outputs of several tools or formats into one file for each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.blobs.domain.compression import compress
from apps.common.schemas.storable import cleaned
from apps.imports.domain.limits import MAX_PATH_LENGTH, PACKING
from apps.imports.domain.parse_result import read_result
from apps.imports.models import FileState, ImportFile
from apps.tools.messages import join_messages, message
from apps.tools.registry import TOOLS
from apps.tools.split_output.parse import (
    OutputSection,
    ParsedSection,
    parse_sections,
    remarks,
    unclaimed,
)
from apps.tools.values import Parameters


@dataclass(frozen=True)
class Split:
    """Pieces of a text, not saved and without numbers.

    `pieces` is empty if at most one tool has results. `tool` is then that tool; `remarks` name the
    lines of other tools without a result.
    """

    pieces: list[ImportFile] = field(default_factory=list)
    tool: str = ""
    remarks: tuple[str, ...] = ()


def split(main: ImportFile, data: bytes, path_params: Parameters) -> Split:
    """Return the pieces of a text; mark the text as split if there are any."""
    read = parse_sections(data)
    understood = [each.piece for each in read if each.counts]
    if not understood:
        return Split()
    if len(understood) == 1 and _reads_the_same(read, data):
        return Split(tool=understood[0].tool, remarks=remarks(read))
    main.state, main.selected, main.path_params = FileState.SPLIT, False, path_params
    main.parse_error = str(cleaned(_split_message(read, understood, data)))
    return Split([_piece(main, each) for each in understood])


def unread(data: bytes, reading_format: str) -> tuple[str, ...]:
    """Return remarks about other results in a text that is read with further files."""
    read = [each for each in parse_sections(data) if each.counts and each.parsed]
    if len(read) < 2:
        return ()
    others = [each for each in read if each.parsed and each.parsed.format != reading_format]
    return tuple(
        message(
            "Lines %(lines)s hold results of %(tool)s too; to have them read, import this file"
            " alone.",
            lines=each.piece.range_text,
            tool=TOOLS[each.piece.tool].label,
        )
        for each in others
    )


def _reads_the_same(read: Sequence[ParsedSection], data: bytes) -> bool:
    """Return True if the whole text gives the same results as its only piece."""
    (only,) = (each for each in read if each.counts)
    whole = read_result({"stdout": data}, tool=only.piece.tool).parsed
    if whole is None or only.parsed is None:
        return False
    return (whole.format, len(whole.measurements)) == (only.parsed.format, len(only.measured))


def _split_message(
    read: Sequence[ParsedSection], understood: Sequence[OutputSection], data: bytes
) -> str:
    labels = ", ".join(dict.fromkeys(TOOLS[each.tool].label for each in understood))
    text = message(
        "It holds results of %(tools)s: the lines of each are a file of their own here.",
        tools=labels,
    )
    outside = [
        message("Lines %(first)d to %(last)d belong to no tool.", first=first, last=last)
        for first, last in unclaimed([each.piece for each in read], data)
    ]
    return join_messages(text, *outside, *remarks(read), between=" ")


def _piece(main: ImportFile, piece: OutputSection) -> ImportFile:
    first, last = piece.ranges[0][0], piece.ranges[-1][1]
    ending = f" ({piece.tool}, {first}-{last})"
    return ImportFile(
        batch=main.batch,
        path=main.path[: MAX_PATH_LENGTH - len(ending)] + ending,
        archive=main.archive,
        size=len(piece.data),
        sha256=hashlib.sha256(piece.data).hexdigest(),
        content=compress(piece.data, PACKING),
        split_from=main,
        lines=tuple(piece.ranges),
        tool=piece.tool,
    )
