"""Split a text of several outputs into the lines of each tool and format.

- A line that only one tool writes, or a command that starts it, begins that tool's section. The
  section ends at the next line that only another tool writes; the first tool may continue after it.
- The output of a device monitor (iostat) after another tool's result is a separate recording.
- JSON that begins and ends at the left edge is one section, separate from the same tool's text.
- Lines before the first section belong to no tool.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from apps.tools.registry import TOOLS, is_monitor, recognise
from apps.tools.text import clean, is_text

MAX_SPLIT_BYTES = 32 * 1024**2
# Up to this many bytes all tools are tried; after them only the tool of the previous line.
MAX_CLAIM_BYTES = 1024**2
MAX_LINE_LENGTH = 1_000
Ranges = tuple[tuple[int, int], ...]
_JSON = re.compile(rb"^\{", re.MULTILINE)
_AT_THE_EDGE = re.compile(rb"^[^ \t\r\n]", re.MULTILINE)
_HEAD = 64 * 1024  # bytes that identify the tool of a document
_TIMED = re.compile(rb"\d{14}[.,]")  # iperf 2's CSV begins with the date
_NUMBERS = b"0123456789.,;:- \t\r"


@dataclass(frozen=True)
class SectionOwner:
    """Tool of a line, and for JSON the first line of the document.

    `document`: from 1; 0 for text. `recording`: number of a monitor's recording, from 0.
    """

    tool: str
    document: int = 0
    recording: int = 0


NO_OWNER = SectionOwner("")


@dataclass(frozen=True)
class OutputSection:
    """One tool's lines of a text.

    `ranges`: first and last line of each run of lines, from 1. `document`: first line of the JSON
    document, 0 for text.
    """

    tool: str
    ranges: Ranges
    data: bytes
    document: int = 0

    @property
    def range_text(self) -> str:
        """Return the numbers of the lines: "3–18, 25–30"."""
        return ", ".join(f"{first}–{last}" for first, last in self.ranges)

    def numbered(self) -> list[tuple[int, bytes]]:
        """Return the lines with their numbers."""
        numbers = [n for first, last in self.ranges for n in range(first, last + 1)]
        return list(zip(numbers, self.data.split(b"\n"), strict=False))

    def beginnings(self) -> Iterator[int]:
        """Yield the indices, from 0, of lines that only this tool writes, and of documents."""
        for index, (_number, line) in enumerate(self.numbered()):
            text = line[:MAX_LINE_LENGTH].decode("utf-8", "replace")
            if text.startswith("{") or TOOLS[self.tool].owns_line(text):
                yield index

    def cut(self, index: int) -> tuple[OutputSection, OutputSection]:
        """Return the lines before an index, and the others."""
        lines = self.numbered()
        return _of_lines(self, lines[:index]), _of_lines(self, lines[index:])


def joined(pieces: Sequence[OutputSection]) -> OutputSection:
    """Return several sections of a tool as one, in the order of their lines."""
    lines = sorted(line for piece in pieces for line in piece.numbered())
    return _of_lines(max(pieces, key=lambda piece: piece.document), lines)


def _of_lines(piece: OutputSection, lines: Sequence[tuple[int, bytes]]) -> OutputSection:
    """Return a section of these lines with the same tool and format."""
    data = b"".join(line + b"\n" for _number, line in lines)
    return replace(piece, ranges=_ranges([number for number, _line in lines]), data=data)


def split(data: bytes) -> tuple[OutputSection, ...]:
    """Return the sections in the order of their first lines; () if there are fewer than two."""
    if _is_one_document(data):
        return ()
    if len(data) > (MAX_SPLIT_BYTES if _JSON.search(data) else MAX_CLAIM_BYTES) or not is_text(
        data
    ):
        return ()
    lines = clean(data).replace(b"\r\n", b"\n").split(b"\n")
    owners = _with_recordings(_Owners(lines).all(), lines)
    result = [owner for owner in dict.fromkeys(owners) if owner != NO_OWNER]
    if len(result) < 2:
        return ()
    lines_of_owner: dict[SectionOwner, list[tuple[int, bytes]]] = {owner: [] for owner in result}
    for number, (owner, line) in enumerate(zip(owners, lines, strict=True), 1):
        if owner in lines_of_owner:
            lines_of_owner[owner].append((number, line))
    empty = {owner: OutputSection(owner.tool, (), b"", owner.document) for owner in result}
    return tuple(_of_lines(empty[owner], lines_of_owner[owner]) for owner in result)


def _with_recordings(owners: Sequence[SectionOwner], lines: Sequence[bytes]) -> list[SectionOwner]:
    """Return the owners with numbered recordings of monitors.

    A result of another tool between two lines of a monitor starts a new recording.
    """
    numbered: list[SectionOwner] = []
    last: dict[str, tuple[int, int]] = {}
    for index, owner in enumerate(owners):
        if owner.document or not is_monitor(owner.tool):
            numbered.append(owner)
            continue
        end, number = last.get(owner.tool, (index - 1, 0))
        between = b"\n".join(lines[end + 1 : index])
        if between.strip() and recognise(between) is not None:
            number += 1
        last[owner.tool] = index, number
        numbered.append(replace(owner, recording=number))
    return numbered


def _is_one_document(data: bytes) -> bool:
    """Return True if only the first and the last brace are at the left edge.

    No line of such JSON, as fio writes it, can belong to another tool.
    """
    if not data.startswith(b"{\n"):
        return False
    end = _AT_THE_EDGE.search(data, 1)
    return end is not None and not data[end.start() :].strip(b"} \t\r\n")


@dataclass
class _Owners:
    """Assignment of lines to tools; lines before the first claimed line have no owner."""

    lines: Sequence[bytes]
    owners: list[SectionOwner] = field(default_factory=list)
    _closing: list[int] = field(default_factory=list)
    _documents: dict[str, SectionOwner] = field(default_factory=dict)

    def all(self) -> list[SectionOwner]:
        """Return the owner of each line."""
        self._closing = [i for i, line in enumerate(self.lines) if _closes(line)]
        tried_bytes = 0
        while len(self.owners) < len(self.lines):
            index = len(self.owners)
            current = self.owners[-1] if self.owners else NO_OWNER
            if count := self._json(index):
                owner, tried_bytes = self._of_json(index, count, current), tried_bytes + 1
                self._assign_call(owner)
            else:
                count, line = 1, self.lines[index][:MAX_LINE_LENGTH]
                candidates = TOOLS if tried_bytes <= MAX_CLAIM_BYTES else ()
                owner, tried_bytes = _line_owner(line, current, candidates), tried_bytes + len(line)
            if owner.tool != current.tool:
                self._documents = {owner.tool: owner} if owner.document else {}
            self.owners += [owner] * count
        return self.owners

    def _assign_call(self, owner: SectionOwner) -> None:
        """Assign the command line directly above a document to the document."""
        last = len(self.owners) - 1
        while last >= 0 and not self.lines[last].strip():
            last -= 1
        first = last
        while first > 0 and self.lines[first - 1].rstrip().endswith(b"\\"):
            first -= 1
        if first < 0 or self.owners[first] != SectionOwner(owner.tool):
            return
        if _calls(owner.tool, self.lines[first][:MAX_LINE_LENGTH].decode("utf-8", "replace")):
            self.owners[first:] = [owner] * (len(self.owners) - first)

    def _json(self, index: int) -> int:
        """Return the number of lines of the document that begins here; 0 if none does.

        The end of the document may be missing.
        """
        line = self.lines[index].rstrip()
        if not line.startswith(b"{"):
            return 0
        if line.endswith(b"}"):
            return 1
        after = bisect_left(self._closing, index)
        end = self._closing[after] if after < len(self._closing) else len(self.lines)
        for number in range(index + 1, end):
            if self.lines[number].startswith(b"{"):
                return number - index if line == b"{" else 0
        return end + 1 - index if end < len(self.lines) else self._indented(index)

    def _indented(self, index: int) -> int:
        """Return the number of lines of a truncated document, whose content is indented."""
        end = index + 1
        while end < len(self.lines) and self.lines[end][:1] in (b" ", b"\t"):
            end += 1
        return end - index if end > index + 1 else 0

    def _of_json(self, index: int, count: int, current: SectionOwner) -> SectionOwner:
        """Return the owner of a document.

        A tool's documents have one owner unless lines of another tool are between them.
        """
        plugin = recognise(b"\n".join(self.lines[index : index + count])[:_HEAD])
        if plugin is None:
            return current
        if plugin.name != current.tool:
            self._documents = {}
        return self._documents.setdefault(plugin.name, SectionOwner(plugin.name, index + 1))


def _calls(tool: str, line: str) -> bool:
    """Return True if a line calls a program of a tool."""
    range_text = line.replace("/", " ").split()
    return any(word.removesuffix(".exe") in TOOLS[tool].command_names for word in range_text[:-1])


def _closes(line: bytes) -> bool:
    """Return True if a line may end a document: only braces, at the left edge ("}}": iostat)."""
    return line.startswith(b"}") and not line.strip(b"} \t\r")


def _line_owner(line: bytes, current: SectionOwner, others: Iterable[str]) -> SectionOwner:
    """Return the owner of a line; the tool of the previous line is tried first."""
    if not line.strip(_NUMBERS) and not _TIMED.match(line):
        return current  # only numbers, or blank
    text = line.decode("utf-8", "replace")
    if current != NO_OWNER and TOOLS[current.tool].owns_line(text):
        return SectionOwner(current.tool)
    result = next((name for name in others if TOOLS[name].owns_line(text)), "")
    return SectionOwner(result) if result else current


def _ranges(numbers: Sequence[int]) -> Ranges:
    """Return the first and last number of each run of consecutive numbers."""
    stretches = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    result = [[number for _index, number in stretch] for _gap, stretch in stretches]
    return tuple((each[0], each[-1]) for each in result)
