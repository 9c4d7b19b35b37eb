"""The text of many JSON+ bins objects -> their numbers, by array operations on the bytes.

fio prints one bin a line, `"<value>" : <count>,` (stat.c, add_ddir_status_json; json.c). Text that
differs from this in a single byte is refused, so that the caller can read it as any other JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .bins import EMPTY, MAX_COUNT, Bins
from .digits import PADDING, Integers, read_numbers

MAX_BINS = 4096
_NEWLINE, _SPACE, _QUOTE, _COMMA, _ZERO, _COLON = b'\n ",0:'
_SEPARATOR = 4  # `" : ` between the value's last digit and the count's first


@dataclass(slots=True)
class _Lines:
    """Places of the entries in the text; `last` marks the last entry of each object."""

    begins: Integers
    ends: Integers
    last: NDArray[np.bool_]
    sizes: Integers


def read_bins(objects: Sequence[bytes]) -> list[Bins] | None:
    """The bins of each text, given from behind its `{` up to and with its `}`; None unless all are
    exactly as fio prints them."""
    text = b" " * PADDING + b"".join(objects)
    raw = np.frombuffer(text, np.uint8)
    lengths = np.array([len(each) for each in objects], np.int64)
    lines = _lines(raw, PADDING + np.cumsum(lengths) - lengths)
    if lines is None:
        return None
    numbers = _numbers(text, raw, lines, len(objects))
    return None if numbers is None else _split(*numbers, lines.sizes)


def _lines(raw: NDArray[np.uint8], starts: Integers) -> _Lines | None:
    """An object of n entries has n + 1 newlines, the first right behind its brace."""
    newlines = np.flatnonzero(raw == _NEWLINE)
    first = np.searchsorted(newlines, starts)
    if first[-1] >= newlines.size or not np.array_equal(newlines[first], starts):
        return None
    sizes = np.diff(np.append(first, newlines.size)) - 1
    final = np.append(first[1:], newlines.size) - 1
    before, after, last = (np.full(newlines.size, mark) for mark in (True, True, False))
    before[final], after[first], last[final] = False, False, True
    return _Lines(newlines[before], newlines[after], last[after], sizes)


def _numbers(
    text: bytes, raw: NDArray[np.uint8], lines: _Lines, objects: int
) -> tuple[Integers, Integers] | None:
    """All values and all counts, if every byte of the text is accounted for."""
    quotes = np.flatnonzero(raw == _QUOTE)
    opening, closing, ends = quotes[0::2], quotes[1::2], lines.ends - ~lines.last
    if not (opening.size == closing.size == ends.size) or quotes.size % 2:
        return None
    inside = (lines.begins < opening) & (closing + _SEPARATOR < lines.ends)
    if not inside.all() or not (raw[closing + 2] == _COLON).all():
        return None
    if not (raw[ends] == np.where(lines.last, _NEWLINE, _COMMA)).all():
        return None
    # Everything that is neither a digit nor one of these signs has to be a space.
    digits = int((closing - opening - 1).sum() + (ends - closing - _SEPARATOR).sum())
    signs = 5 * ends.size + objects  # two quotes, colon, comma or `}`, newlines
    if np.count_nonzero(raw == _SPACE) != len(text) - digits - signs:
        return None
    values = read_numbers(text, opening + 1, closing)
    counts = read_numbers(text, closing + _SEPARATOR, ends)
    if values is None or counts is None or not _plain(raw, closing, ends, counts):
        return None
    return values, counts


def _plain(raw: NDArray[np.uint8], closing: Integers, ends: Integers, counts: Integers) -> bool:
    """JSON allows no leading zero, and `MAX_COUNT` no overflow."""
    begins = closing + _SEPARATOR
    padded = (raw[begins] == _ZERO) & (ends - begins > 1)
    return not padded.any() and not (counts >= MAX_COUNT).any()


def _split(values: Integers, counts: Integers, sizes: Integers) -> list[Bins] | None:
    """Each object's own entries; None unless its values ascend."""
    ends = np.cumsum(sizes)
    ascends = np.ones(values.size + 1, bool)
    ascends[1:-1] = values[1:] > values[:-1]
    ascends[ends] = True  # the first value of the next object
    if not ascends.all():
        return None
    places = [0, *ends.tolist()]
    return [
        Bins(values[a:b], counts[a:b]) if b - a <= MAX_BINS else EMPTY for a, b in pairwise(places)
    ]
