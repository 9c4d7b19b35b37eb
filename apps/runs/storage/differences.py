"""Text that repeats itself with other numbers, as differences: fio's status documents, each with
all latency bins of the one before.

Line after line: one that is expected, because it came last time after the same one, is a token: "="
for the same value as last time, a difference of whole numbers, or "'" with a new value beside it.
Any other line stands as it is. So every text can be written so, and is the same again.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

_NAMED = re.compile(rb'(\s*"[^"]*"\s*:\s*)([^\s"{\[,][^"{\[,]*)(,?)', re.DOTALL)
_WHOLE = re.compile(rb"0|[1-9][0-9]{0,17}")
_SAME, _VALUE, _LINE = b"=", b"'", b"!"
_HEAD = struct.Struct("!II")  # bytes of a block's tokens and of its texts
# Lines of one block: their tokens stand together, and so do their texts.
BLOCK = 20_000
PIECE = 1 << 20


class Broken(Exception):
    """Blocks that were not written here."""


Key = tuple[int, bytes, bytes]
"""A line without its value: its section, and what stands before and behind the value."""


@dataclass
class _Known:
    """Values of lines when they last came, and which came after which; the same on both ways."""

    after: dict[Key | None, Key] = field(default_factory=dict)
    values: dict[tuple[int, bytes], bytes] = field(default_factory=dict)
    expected: Key | None = None
    last: Key | None = None
    section: int = 0
    _open: list[tuple[int, dict[bytes, int]]] = field(default_factory=list)
    _sections: dict[tuple[int, bytes, int], int] = field(default_factory=dict)
    _children: dict[bytes, int] = field(default_factory=dict)

    def key_of(self, line: bytes) -> tuple[Key, bytes]:
        """A line's key and value; without a name the line is its key."""
        if found := _NAMED.fullmatch(line):
            before, value, behind = found.groups()
            return (self.section, before, behind), value
        return (self.section, line, _LINE), b""

    def take(self, key: Key, value: bytes) -> None:
        """A line has come."""
        self.after[self.last] = key
        # A new line stands between two that were neighbours: the second is expected still.
        self.expected = self.after.get(key, self.expected)
        self.last = key
        if key[2] == _LINE:
            self._enter(key[1])
        else:
            self.values[key[:2]] = value

    def _enter(self, line: bytes) -> None:
        """The section that begins or ends with a line; equal ones of a parent are numbered."""
        if line.endswith((b"{", b"[")):
            number = self._children.get(line, 0)
            self._children[line] = number + 1 if self._open else 0
            place = (self.section, line, number)
            self._open.append((self.section, self._children))
            self.section = self._sections.setdefault(place, len(self._sections) + 1)
            self._children = {}
        elif self._open and line.lstrip()[:1] in (b"}", b"]"):
            self.section, self._children = self._open.pop()


def differences(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The text, given in pieces, as blocks."""
    known = _Known()
    tokens: list[bytes] = []
    texts: list[bytes] = []
    for line in _lines(pieces):
        expected = known.expected
        key, value = known.key_of(line)
        if key != expected:
            tokens.append(_LINE)
            texts.append(line)
        elif (token := _token(known.values.get(key[:2], b""), value)) == _VALUE:
            tokens.append(_VALUE)
            texts.append(value)
        else:
            tokens.append(token)
        known.take(key, value)
        if len(tokens) == BLOCK:
            yield _block(tokens, texts)
            tokens, texts = [], []
    yield _block(tokens, texts)


def _token(before: bytes, now: bytes) -> bytes:
    if before == now:
        return _SAME
    if _WHOLE.fullmatch(before) and _WHOLE.fullmatch(now):
        return b"%d" % (int(now) - int(before))
    return _VALUE


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The texts between newlines: one more than there are newlines."""
    rest: list[bytes] = []
    for piece in pieces:
        first, *more = piece.split(b"\n")
        rest.append(first)
        if more:
            yield b"".join(rest)
            yield from more[:-1]
            rest = [more[-1]]
    yield b"".join(rest)


def _block(tokens: list[bytes], texts: list[bytes]) -> bytes:
    said, beside = b" ".join(tokens), b"\n".join(texts)
    return _HEAD.pack(len(said), len(beside)) + said + beside


def text_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The text again, PIECE of it at a time; `read` gives so many bytes of the blocks, fewer at
    their end. Raises Broken.
    """
    known = _Known()
    pieces: list[bytes] = []
    held = 0
    for line in _lines_again(read, known):
        pieces.append(line)
        held += len(line) + 1
        if held >= PIECE:
            yield b"\n".join(pieces)
            # A newline stands before the next piece.
            pieces, held = [b""], 0
    yield b"\n".join(pieces)


def _lines_again(read: Callable[[int], bytes], known: _Known) -> Iterator[bytes]:
    try:
        while head := read(_HEAD.size):
            tokens, texts = _HEAD.unpack(head)
            said = read(tokens).split(b" ")
            beside = iter(read(texts).split(b"\n"))
            for token in said:
                line, key, value = _line_again(token, beside, known)
                known.take(key, value)
                yield line
    except (struct.error, StopIteration, RuntimeError, TypeError, KeyError, ValueError) as error:
        raise Broken(str(error)) from error


def _line_again(token: bytes, beside: Iterator[bytes], known: _Known) -> tuple[bytes, Key, bytes]:
    """The line that a token stands for, with its key and value."""
    if token == _LINE:
        line = next(beside)
        return line, *known.key_of(line)
    key = known.expected
    if key is None:
        raise Broken("a line is expected before the first one")
    before = known.values.get(key[:2], b"")
    if token == _SAME:
        value = before
    elif token == _VALUE:
        value = next(beside)
    else:
        value = b"%d" % (int(before) + int(token))
    return (key[1] if key[2] == _LINE else key[1] + value + key[2]), key, value
