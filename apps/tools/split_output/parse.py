"""Parsing of a text with several outputs: each section is parsed by its tool.

Sections that repeat the results of another section of the same tool (text and JSON) are dropped.
Sections without results are parsed with the others, because messages around a document belong to
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import error_message, message, plural_message
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.registry import TOOLS, parse_output
from apps.tools.text import clean

from .duplicates import detail, duplicate_count
from .splitter import OutputSection, Ranges, joined, split

__all__ = [
    "OutputSection",
    "ParsedSection",
    "Ranges",
    "parse_sections",
    "remarks",
    "split",
    "unclaimed",
]
# Limits of the search for calls within a section: bytes, and lines where a call may begin.
MAX_CUT_BYTES = 256 * 1024
MAX_CUTS = 200


@dataclass(frozen=True)
class ParsedSection:
    """Section of a text and its parsed output; `refusal`: the reason for no output.

    `duplicate_of`: the section with the same results in more detail. `notes`: further remarks on
    the lines.
    """

    piece: OutputSection
    parsed: Parsed | None = None
    refusal: str = ""
    duplicate_of: OutputSection | None = None
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Return True if the lines have results of their own."""
        return self.parsed is not None and self.duplicate_of is None

    @property
    def measured(self) -> tuple[Measurement, ...]:
        """Return the results."""
        return self.parsed.measurements if self.parsed else ()


def parse_sections(data: bytes) -> list[ParsedSection]:
    """Return every section of a text with its parsed output."""
    read = [_read(piece) for piece in split(data)]
    by_tool = [
        [each for each in read if each.piece.tool == name]
        for name in dict.fromkeys(each.piece.tool for each in read)
    ]
    settled = [each for same in by_tool for each in _settled(same)]
    return sorted(settled, key=lambda each: each.piece.ranges)


def unclaimed(pieces: Sequence[OutputSection], data: bytes) -> Ranges:
    """Return the lines before the first section if any of them is not blank."""
    first = min(piece.ranges[0][0] for piece in pieces)
    head = clean(data).split(b"\n")[: first - 1]
    return ((1, first - 1),) if any(line.strip() for line in head) else ()


def remarks(read: Sequence[ParsedSection]) -> tuple[str, ...]:
    """Return a remark for each section without results or with duplicates only."""
    texts = [text for each in read for text in (*_section_remarks(each), *each.notes)]
    return tuple(dict.fromkeys(texts))


def _section_remarks(read: ParsedSection) -> list[str]:
    if read.duplicate_of:
        text = message(
            "Lines %(lines)s repeat results of %(tool)s in lines %(others)s and were not read"
            " again.",
            lines=read.piece.range_text,
            tool=TOOLS[read.piece.tool].label,
            others=read.duplicate_of.range_text,
        )
        return [text]
    return [] if read.parsed else [_without_results(read.piece, read.refusal)]


def _without_results(piece: OutputSection, why: str) -> str:
    return message(
        "Lines %(lines)s look like output of %(tool)s but contain no result: %(why)s",
        lines=piece.range_text,
        tool=TOOLS[piece.tool].label,
        why=why,
    )


def _read(piece: OutputSection) -> ParsedSection:
    output = Output({"stdout": piece.data, "stderr": b""})
    try:
        return ParsedSection(piece, parse_output(piece.tool, output))
    except OutputError as error:
        # Only a section that looks like a result is reported as lost, not a command line.
        lost = TOOLS[piece.tool].detect(piece.data)
        note = _without_results(piece, error_message(error))
        return ParsedSection(piece, refusal=error_message(error), notes=(note,) if lost else ())
    except ToolError as error:
        return ParsedSection(piece, refusal=error_message(error))


def _settled(read: list[ParsedSection]) -> list[ParsedSection]:
    """Return one tool's sections that have results of their own."""
    if not any(each.parsed for each in read):
        return [replace(each, notes=()) for each in read]
    for empty in [each for each in read if not each.parsed]:
        read = _parsed_with_neighbour(read, empty)
    richest = sorted(read, key=_richness, reverse=True)
    settled: list[ParsedSection] = []
    for each in richest:
        settled += _once(each, [other for other in settled if not other.duplicate_of])
    return settled


def _richness(read: ParsedSection) -> tuple[bool, bool, bool, int]:
    """Return the sort key of sections by detail.

    Complete sections are first, then those with parameters (JSON of fio 2.1 has none), then JSON,
    whose figures are not rounded.
    """
    whole = read.parsed is not None and read.parsed.completeness != "partial"
    has_params = all(each.params for each in read.measured)
    return whole, has_params, bool(read.piece.document), detail(read.measured)


def _parsed_with_neighbour(read: list[ParsedSection], empty: ParsedSection) -> list[ParsedSection]:
    """Parse lines without results together with the previous section of the same tool."""
    others = [each for each in read if each is not empty]
    first = empty.piece.ranges[0][0]
    with_figures = [each for each in others if each.parsed]
    before = [each for each in with_figures if each.piece.ranges[0][0] < first]
    near = before[-1] if before else with_figures[0]
    both = _read(joined([near.piece, empty.piece]))
    if len(both.measured) < len(near.measured):
        return [*others, replace(empty, notes=())]
    both = replace(both, notes=(*near.notes, *empty.notes))
    return [both if each is near else each for each in others]


def _once(read: ParsedSection, richer: Sequence[ParsedSection]) -> list[ParsedSection]:
    """Return the section without the calls that a richer section also has."""
    duplicates = [(duplicate_count(read.measured, other.measured), other.piece) for other in richer]
    again, where = max(duplicates, key=lambda pair: pair[0], default=(0, read.piece))
    if not again:
        return [read]
    if again == len(read.measured):
        return [replace(read, duplicate_of=where)]
    calls = _calls(read)
    if len(calls) > 1:
        return [part for each in calls for part in _once(each, richer)]
    note = plural_message(
        "%(count)d result of %(tool)s in lines %(lines)s is also in lines %(others)s: store it from"
        " one of the two.",
        "%(count)d results of %(tool)s in lines %(lines)s are also in lines %(others)s: store them"
        " from one of the two.",
        again,
        tool=TOOLS[read.piece.tool].label,
        lines=read.piece.range_text,
        others=where.range_text,
    )
    return [replace(read, notes=(*read.notes, note))]


def _calls(read: ParsedSection) -> list[ParsedSection]:
    """Return the section cut into calls, at lines that may begin an output.

    A cut is valid if both parts together have the results of the whole.
    """
    if len(read.piece.data) > MAX_CUT_BYTES:
        return [read]
    for index in [*read.piece.beginnings()][1:MAX_CUTS]:
        first, rest = map(_read, read.piece.cut(index))
        if _is_sum(read, first, rest):
            return [first, *_calls(rest)]
    return [read]


def _is_sum(read: ParsedSection, first: ParsedSection, rest: ParsedSection) -> bool:
    if first.parsed is None or rest.parsed is None or read.parsed is None:
        return False
    ends = {first.parsed.completeness, rest.parsed.completeness}
    parts = (*first.measured, *rest.measured)
    return ends == {read.parsed.completeness} and _results(read.measured) == _results(parts)


def _results(measured: Sequence[Measurement]) -> list[Measurement]:
    """Return the results without their position in the text, which changes when it is cut."""
    return [replace(each, call=1, lines=None) for each in measured]
