"""A text into which several outputs were pasted: each piece read by its own tool.

Of one tool's pieces (text and JSON) those that tell the same results again are left out, and those
that give none are read with the others: what a tool says around its document belongs to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.tools.errors import OutputError, ToolError
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
TOLD_AGAIN = "{} tell results of {} once more that stand in {}, and were not read a second time."
TOLD_TWICE = "{} of the results of {} in {} stand in {} as well: store them from one of the two."
# A text is cut into calls by trying: bytes, and places tried.
MOST_TRIED = 256 * 1024
MOST_BEGINNINGS = 200
NOTHING = "{} look like those of {} and gave nothing: {}"


@dataclass(frozen=True)
class ParsedSection:
    """A piece as it was read; `refusal` where it says nothing. `told_in`: the piece that tells the
    same in more detail. `notes`: what else is to be said of these lines.
    """

    piece: OutputSection
    parsed: Parsed | None = None
    refusal: str = ""
    told_in: OutputSection | None = None
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the lines have results of their own."""
        return self.parsed is not None and self.told_in is None

    @property
    def measured(self) -> tuple[Measurement, ...]:
        """The results."""
        return self.parsed.measurements if self.parsed else ()


def parse_sections(data: bytes) -> list[ParsedSection]:
    """Every piece of a text with what its tool understands of it."""
    read = [_read(piece) for piece in split(data)]
    by_tool = [
        [each for each in read if each.piece.tool == name]
        for name in dict.fromkeys(each.piece.tool for each in read)
    ]
    settled = [each for same in by_tool for each in _settled(same)]
    return sorted(settled, key=lambda each: each.piece.ranges)


def unclaimed(pieces: Sequence[OutputSection], data: bytes) -> Ranges:
    """The lines before the first piece, where any of them says something."""
    first = min(piece.ranges[0][0] for piece in pieces)
    head = clean(data).split(b"\n")[: first - 1]
    return ((1, first - 1),) if any(line.strip() for line in head) else ()


def remarks(read: Sequence[ParsedSection]) -> tuple[str, ...]:
    """A sentence for each piece that gave nothing, or nothing new."""
    said = [text for each in read for text in (*_silent(each), *each.notes)]
    return tuple(dict.fromkeys(said))


def _silent(read: ParsedSection) -> list[str]:
    words, label = read.piece.words.capitalize(), TOOLS[read.piece.tool].label
    if read.told_in:
        return [TOLD_AGAIN.format(words, label, read.told_in.words)]
    return [] if read.parsed else [NOTHING.format(words, label, read.refusal)]


def _read(piece: OutputSection) -> ParsedSection:
    output = Output({"stdout": piece.data, "stderr": b""})
    try:
        return ParsedSection(piece, parse_output(piece.tool, output))
    except OutputError as error:
        # Where nobody would take it for a result alone, as a command line, nothing is missing.
        lost = TOOLS[piece.tool].recognises(piece.data)
        nothing = NOTHING.format(piece.words.capitalize(), TOOLS[piece.tool].label, error)
        return ParsedSection(piece, refusal=str(error), notes=(nothing,) if lost else ())
    except ToolError as error:
        return ParsedSection(piece, refusal=str(error))


def _settled(read: list[ParsedSection]) -> list[ParsedSection]:
    """One tool's pieces, without those that give nothing of their own."""
    if not any(each.parsed for each in read):
        return [replace(each, notes=()) for each in read]
    for silent in [each for each in read if not each.parsed]:
        read = _joined(read, silent)
    richest = sorted(read, key=_richness, reverse=True)
    settled: list[ParsedSection] = []
    for each in richest:
        settled += _once(each, [other for other in settled if not other.told_in])
    return settled


def _richness(read: ParsedSection) -> tuple[bool, bool, bool, int]:
    """The order of pieces: whole ones first, then what tells its parameters (JSON of fio 2.1 does
    not), then JSON, whose figures are not rounded.
    """
    whole = read.parsed is not None and read.parsed.completeness != "partial"
    told = all(each.params for each in read.measured)
    return whole, told, bool(read.piece.document), detail(read.measured)


def _joined(read: list[ParsedSection], silent: ParsedSection) -> list[ParsedSection]:
    """Lines without a result, read with the piece of the same tool they stand in or behind."""
    others = [each for each in read if each is not silent]
    first = silent.piece.ranges[0][0]
    with_figures = [each for each in others if each.parsed]
    before = [each for each in with_figures if each.piece.ranges[0][0] < first]
    near = before[-1] if before else with_figures[0]
    both = _read(joined([near.piece, silent.piece]))
    if len(both.measured) < len(near.measured):
        return [*others, replace(silent, notes=())]
    both = replace(both, notes=(*near.notes, *silent.notes))
    return [both if each is near else each for each in others]


def _once(read: ParsedSection, richer: Sequence[ParsedSection]) -> list[ParsedSection]:
    """The piece, without the calls in it that a richer piece tells as well."""
    found = [(duplicate_count(read.measured, other.measured), other.piece) for other in richer]
    again, where = max(found, key=lambda pair: pair[0], default=(0, read.piece))
    if not again:
        return [read]
    if again == len(read.measured):
        return [replace(read, told_in=where)]
    calls = _calls(read)
    if len(calls) > 1:
        return [found for each in calls for found in _once(each, richer)]
    label = TOOLS[read.piece.tool].label
    note = TOLD_TWICE.format(again, label, read.piece.words, where.words)
    return [replace(read, notes=(*read.notes, note))]


def _calls(read: ParsedSection) -> list[ParsedSection]:
    """The piece cut into as many as say the same together, at lines that may begin an output."""
    if len(read.piece.data) > MOST_TRIED:
        return [read]
    for place in [*read.piece.beginnings()][1:MOST_BEGINNINGS]:
        first, rest = map(_read, read.piece.cut(place))
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
    """The results without their place in the text, which differs when it is cut."""
    return [replace(each, call=1, lines=None) for each in measured]
