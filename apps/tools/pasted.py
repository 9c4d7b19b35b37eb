"""A text into which somebody pasted the outputs of several tools -> each tool's own lines.

A line that only one tool writes (or a command that starts it) begins that tool's lines, and they go
on to the next line that only another one writes; a tool that is interrupted (iostat beside dd) goes
on behind it. JSON that begins and ends at the left edge is one tool's as a whole, and behind lines
of another tool it is a result of its own. What stands before the first such line is nobody's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from .base import Output, OutputError, Parsed, ToolError
from .registry import TOOLS, recognise
from .text import clean

LARGEST = 1024**2  # nobody pastes more; every line is shown to every tool
LONGEST_LINE = 1_000
Ranges = tuple[tuple[int, int], ...]
# A tool, and 0 or the place where a document of its own begins.
Owner = tuple[str, int]
NOBODY: Owner = ("", 0)
_NUMBERS = b"0123456789.,;:- \t\r"


@dataclass(frozen=True)
class Piece:
    """One tool's lines of a text. `ranges`: numbers of the first and last line of each stretch,
    from 1."""

    tool: str
    ranges: Ranges
    data: bytes

    @property
    def words(self) -> str:
        """ "lines 3 to 18, 25 to 30"."""
        return "lines " + ", ".join(f"{first} to {last}" for first, last in self.ranges)


@dataclass(frozen=True)
class Read:
    """What a piece says; `refusal` where that is nothing."""

    piece: Piece
    parsed: Parsed | None = None
    refusal: str = ""


def pieces_of(data: bytes) -> tuple[Piece, ...]:
    """The lines of each tool in the order of their first ones; nothing where no two tools claim
    any."""
    lines = clean(data).replace(b"\r\n", b"\n").split(b"\n") if len(data) <= LARGEST else []
    owners = _owners(lines)
    found = [owner for owner in dict.fromkeys(owners) if owner != NOBODY]
    if len({tool for tool, _place in found}) < 2:
        return ()
    return tuple(
        Piece(owner[0], _ranges(owners, owner), b"\n".join(_own(lines, owners, owner)) + b"\n")
        for owner in found
    )


def read_pieces(data: bytes) -> list[Read]:
    """Every piece of a text with what its tool understands of it."""
    return [_read(piece) for piece in pieces_of(data)]


def unclaimed(pieces: Sequence[Piece], data: bytes) -> Ranges:
    """The lines before the first piece, where any of them says something."""
    first = min(piece.ranges[0][0] for piece in pieces)
    head = clean(data).split(b"\n")[: first - 1]
    return ((1, first - 1),) if any(line.strip() for line in head) else ()


def remarks(read: Sequence[Read]) -> tuple[str, ...]:
    """A sentence for each piece that gave nothing, of tools that gave nothing anywhere."""
    understood = {each.piece.tool for each in read if each.parsed}
    return tuple(
        f"{each.piece.words.capitalize()} look like those of {TOOLS[each.piece.tool].label} "
        f"and gave nothing: {each.refusal}"
        for each in read
        if each.piece.tool not in understood
    )


def _read(piece: Piece) -> Read:
    output = Output({"stdout": piece.data, "stderr": b""})
    try:
        return Read(piece, TOOLS[piece.tool].parse(output))
    except (OutputError, ToolError) as error:
        return Read(piece, refusal=str(error))


def _owners(lines: Sequence[bytes]) -> list[Owner]:
    """Whose each line is; nobody's before the first that any tool claims."""
    owners: list[Owner] = []
    closing = [place for place, line in enumerate(lines) if line.rstrip() == b"}"]
    while len(owners) < len(lines):
        place, current = len(owners), owners[-1] if owners else NOBODY
        if count := _document(lines, place, closing):
            owners += [_of_document(lines[place : place + count], place, current)] * count
        else:
            owners.append(_claimant(lines[place][:LONGEST_LINE], current))
    return owners


def _document(lines: Sequence[bytes], place: int, closing: Sequence[int]) -> int:
    """How many lines the JSON has that begins here; 0 where none does."""
    if not lines[place].startswith(b"{"):
        return 0
    if lines[place].rstrip().endswith(b"}"):
        return 1
    after = bisect_left(closing, place)
    return closing[after] + 1 - place if after < len(closing) else 0


def _of_document(lines: Sequence[bytes], place: int, current: Owner) -> Owner:
    room = recognise(b"\n".join(lines))
    return current if room is None or room.name == current[0] else (room.name, place)


def _claimant(line: bytes, current: Owner) -> Owner:
    """Whose a line is; the tool it stands among is asked first."""
    if not line.strip(_NUMBERS):
        return current  # a row of figures, or nothing
    text = line.decode("utf-8", "replace")
    if current != NOBODY and TOOLS[current[0]].claims(text):
        return current
    found = next((name for name, room in TOOLS.items() if room.claims(text)), "")
    return (found, 0) if found else current


def _ranges(owners: Sequence[Owner], wanted: Owner) -> Ranges:
    return tuple(
        (numbers[0], numbers[-1])
        for owner, places in groupby(enumerate(owners, 1), lambda pair: pair[1])
        if owner == wanted and (numbers := [number for number, _owner in places])
    )


def _own(lines: Sequence[bytes], owners: Sequence[Owner], wanted: Owner) -> list[bytes]:
    return [line for line, owner in zip(lines, owners, strict=True) if owner == wanted]
