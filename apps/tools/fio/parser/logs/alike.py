"""A block of lines that differ in their time and value alone, as those of windows do.

What follows the value is compared as words of eight bytes, and where the first line has its comma
the others must have theirs: no sign of the block has to be searched but the ends of its lines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apps.tools.fio.parser.bins.digits import PADDING, Integers, Words, read_numbers

_SEPARATOR = int.from_bytes(b", ", "little")
_WORD = 8


def times_and_values(text: bytes, newlines: Integers) -> tuple[Integers, Integers] | None:
    """Times and values of the lines that begin behind PADDING; None unless all are digits, a comma
    and a space, digits, and then what the first line has there.
    """
    first = text[PADDING : int(newlines[0]) + 1]
    comma = first.find(b", ")
    tail = len(first) - first.find(b",", comma + 1)
    if comma < 1 or not _WORD <= tail <= 2 * _WORD or tail > len(first) - comma - 2:
        return None
    starts = np.empty_like(newlines)
    starts[0], starts[1:] = PADDING, newlines[:-1] + 1
    commas, ends = starts + comma, newlines + (1 - tail)
    if not (commas + 2 < ends).all() or not _ends_alike(text, newlines, ends):
        return None
    pairs: NDArray[np.uint16] = np.ndarray((len(text) - 1,), "<u2", text, 0, (1,))
    if not (pairs[commas] == _SEPARATOR).all():
        return None
    times = read_numbers(text, starts, commas)
    values = read_numbers(text, commas + 2, ends)
    return None if times is None or values is None else (times, values)


def _ends_alike(text: bytes, newlines: Integers, ends: Integers) -> bool:
    """Whether every line has the same bytes from its place in `ends` on: 8 to 16 of them."""
    words: Words = np.ndarray((len(text) - _WORD + 1,), "<u8", text, 0, (1,))
    for places in (newlines - (_WORD - 1), ends):
        found = words[places]
        if not (found == found[0]).all():
            return False
    return True
