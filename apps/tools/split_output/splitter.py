"""A text into which somebody pasted several outputs -> the lines of each tool in each form.

A line that only one tool writes (or a command that starts it) begins that tool's lines, and they go
on to the next line that only another one writes; a tool that is interrupted goes on behind it. What
a monitor of devices (iostat) prints behind another tool's result is a recording of its own. JSON
that begins and ends at the left edge is one tool's as a whole; behind lines of another tool it is a
result of its own, and apart from what the same tool printed as text. What stands before the first
such line is nobody's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from apps.tools.registry import TOOLS, is_monitor, recognise
from apps.tools.text import clean, is_text

LARGEST = 32 * 1024**2
# Text that is shown to every tool; what follows is shown only to the one it stands among.
MOST_SHOWN = 1024**2
LONGEST_LINE = 1_000
Ranges = tuple[tuple[int, int], ...]
_JSON = re.compile(rb"^\{", re.MULTILINE)
_AT_THE_EDGE = re.compile(rb"^[^ \t\r\n]", re.MULTILINE)
_HEAD = 64 * 1024  # bytes of a document that tell whose it is
_TIMED = re.compile(rb"\d{14}[.,]")  # iperf 2's CSV begins with the date
_NUMBERS = b"0123456789.,;:- \t\r"


@dataclass(frozen=True)
class SectionOwner:
    """A tool, and for its JSON the line where that begins, from 1; 0: what it printed as text.
    `recording`: number of a monitor's recording, from 0.
    """

    tool: str
    document: int = 0
    recording: int = 0


NOBODY = SectionOwner("")


@dataclass(frozen=True)
class OutputSection:
    """One tool's lines of a text. `ranges`: numbers of the first and last line of each stretch,
    from 1. `document`: the line where that begins, 0 for text.
    """

    tool: str
    ranges: Ranges
    data: bytes
    document: int = 0

    @property
    def words(self) -> str:
        """ "lines 3 to 18, 25 to 30"."""
        return "lines " + ", ".join(f"{first} to {last}" for first, last in self.ranges)

    def numbered(self) -> list[tuple[int, bytes]]:
        """Its lines with their numbers."""
        numbers = [n for first, last in self.ranges for n in range(first, last + 1)]
        return list(zip(numbers, self.data.split(b"\n"), strict=False))

    def beginnings(self) -> Iterator[int]:
        """The places (from 0) of lines that are the tool's alone, and of documents."""
        for place, (_number, line) in enumerate(self.numbered()):
            text = line[:LONGEST_LINE].decode("utf-8", "replace")
            if text.startswith("{") or TOOLS[self.tool].claims(text):
                yield place

    def cut(self, place: int) -> tuple[OutputSection, OutputSection]:
        """The lines before a place, and the others."""
        lines = self.numbered()
        return _of_lines(self, lines[:place]), _of_lines(self, lines[place:])


def joined(pieces: Sequence[OutputSection]) -> OutputSection:
    """Several pieces of a tool as one, in the order of their lines."""
    lines = sorted(line for piece in pieces for line in piece.numbered())
    return _of_lines(max(pieces, key=lambda piece: piece.document), lines)


def _of_lines(piece: OutputSection, lines: Sequence[tuple[int, bytes]]) -> OutputSection:
    """These lines of the same tool and form."""
    data = b"".join(line + b"\n" for _number, line in lines)
    return replace(piece, ranges=_ranges([number for number, _line in lines]), data=data)


def split(data: bytes) -> tuple[OutputSection, ...]:
    """The lines of each tool and form, in the order of their first ones; nothing where there is
    one at most.
    """
    if _is_one_document(data):
        return ()
    if len(data) > (LARGEST if _JSON.search(data) else MOST_SHOWN) or not is_text(data):
        return ()
    lines = clean(data).replace(b"\r\n", b"\n").split(b"\n")
    owners = _with_recordings(_Owners(lines).all(), lines)
    found = [owner for owner in dict.fromkeys(owners) if owner != NOBODY]
    if len(found) < 2:
        return ()
    whose: dict[SectionOwner, list[tuple[int, bytes]]] = {owner: [] for owner in found}
    for number, (owner, line) in enumerate(zip(owners, lines, strict=True), 1):
        if owner in whose:
            whose[owner].append((number, line))
    empty = {owner: OutputSection(owner.tool, (), b"", owner.document) for owner in found}
    return tuple(_of_lines(empty[owner], whose[owner]) for owner in found)


def _with_recordings(owners: Sequence[SectionOwner], lines: Sequence[bytes]) -> list[SectionOwner]:
    """The same owners, with the numbers of a monitor's recordings: each result of another tool
    between two of its lines ends one.
    """
    numbered: list[SectionOwner] = []
    last: dict[str, tuple[int, int]] = {}
    for place, owner in enumerate(owners):
        if owner.document or not is_monitor(owner.tool):
            numbered.append(owner)
            continue
        end, number = last.get(owner.tool, (place - 1, 0))
        between = b"\n".join(lines[end + 1 : place])
        if between.strip() and recognise(between) is not None:
            number += 1
        last[owner.tool] = place, number
        numbered.append(replace(owner, recording=number))
    return numbered


def _is_one_document(data: bytes) -> bool:
    """Whether this is JSON of which only the first and the last brace stand at the left edge, as
    most files of fio are: no line of it can be another tool's.
    """
    if not data.startswith(b"{\n"):
        return False
    end = _AT_THE_EDGE.search(data, 1)
    return end is not None and not data[end.start() :].strip(b"} \t\r\n")


@dataclass
class _Owners:
    """Goes through the lines and says whose each is; nobody's before the first that any tool
    claims.
    """

    lines: Sequence[bytes]
    owners: list[SectionOwner] = field(default_factory=list)
    _closing: list[int] = field(default_factory=list)
    _documents: dict[str, SectionOwner] = field(default_factory=dict)

    def all(self) -> list[SectionOwner]:
        """The owner of each line."""
        self._closing = [i for i, line in enumerate(self.lines) if _closes(line)]
        shown = 0
        while len(self.owners) < len(self.lines):
            place = len(self.owners)
            current = self.owners[-1] if self.owners else NOBODY
            if count := self._json(place):
                owner, shown = self._of_json(place, count, current), shown + 1
                self._give_call(owner)
            else:
                count, line = 1, self.lines[place][:LONGEST_LINE]
                ask = TOOLS if shown <= MOST_SHOWN else ()
                owner, shown = _claimant(line, current, ask), shown + len(line)
            if owner.tool != current.tool:
                self._documents = {owner.tool: owner} if owner.document else {}
            self.owners += [owner] * count
        return self.owners

    def _give_call(self, owner: SectionOwner) -> None:
        """Give the lines of the call right above a document to it: they are claimed as text."""
        last = len(self.owners) - 1
        while last >= 0 and not self.lines[last].strip():
            last -= 1
        first = last
        while first > 0 and self.lines[first - 1].rstrip().endswith(b"\\"):
            first -= 1
        if first < 0 or self.owners[first] != SectionOwner(owner.tool):
            return
        if _calls(owner.tool, self.lines[first][:LONGEST_LINE].decode("utf-8", "replace")):
            self.owners[first:] = [owner] * (len(self.owners) - first)

    def _json(self, place: int) -> int:
        """The number of lines of the document that begins here, also if its end is missing; 0 where
        none does.
        """
        line = self.lines[place].rstrip()
        if not line.startswith(b"{"):
            return 0
        if line.endswith(b"}"):
            return 1
        after = bisect_left(self._closing, place)
        end = self._closing[after] if after < len(self._closing) else len(self.lines)
        for number in range(place + 1, end):
            if self.lines[number].startswith(b"{"):
                return number - place if line == b"{" else 0
        return end + 1 - place if end < len(self.lines) else self._indented(place)

    def _indented(self, place: int) -> int:
        """The lines of a document that is cut off: tools indent what stands between its braces."""
        end = place + 1
        while end < len(self.lines) and self.lines[end][:1] in (b" ", b"\t"):
            end += 1
        return end - place if end > place + 1 else 0

    def _of_json(self, place: int, count: int, current: SectionOwner) -> SectionOwner:
        """One tool's documents are one form as long as no other tool's lines come between."""
        plugin = recognise(b"\n".join(self.lines[place : place + count])[:_HEAD])
        if plugin is None:
            return current
        if plugin.name != current.tool:
            self._documents = {}
        return self._documents.setdefault(plugin.name, SectionOwner(plugin.name, place + 1))


def _calls(tool: str, line: str) -> bool:
    """Whether a line calls a program of a tool."""
    words = line.replace("/", " ").split()
    return any(word.removesuffix(".exe") in TOOLS[tool].command_names for word in words[:-1])


def _closes(line: bytes) -> bool:
    """Whether a document may end here: nothing but braces, at the left edge ("}}": iostat)."""
    return line.startswith(b"}") and not line.strip(b"} \t\r")


def _claimant(line: bytes, current: SectionOwner, others: Iterable[str]) -> SectionOwner:
    """The tool that a line belongs to; the tool it stands among is asked first, then the others."""
    if not line.strip(_NUMBERS) and not _TIMED.match(line):
        return current  # a row of figures, or nothing
    text = line.decode("utf-8", "replace")
    if current != NOBODY and TOOLS[current.tool].claims(text):
        return SectionOwner(current.tool)
    found = next((name for name in others if TOOLS[name].claims(text)), "")
    return SectionOwner(found) if found else current


def _ranges(numbers: Sequence[int]) -> Ranges:
    """The first and last number of each stretch without a gap."""
    stretches = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    found = [[number for _place, number in stretch] for _gap, stretch in stretches]
    return tuple((each[0], each[-1]) for each in found)
