"""Many whole numbers in a text at once, eight digits in one 64-bit word.

JSON+ holds hundreds of numbers for every job, and a Python object for each would cost more than
everything else. Eight digits lie in a word with the first in its lowest byte; three multiplications
join neighbours to pairs, fours and eights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
PADDING = 16  # bytes that must stand before the first number: its words reach back this far
LONGEST = 16  # digits

_ZEROS = np.uint64(0x3030303030303030)
_CARRY = np.uint64(0x0606060606060606)  # takes everything above 9 into the upper half of its byte
_UPPER = np.uint64(0xF0F0F0F0F0F0F0F0)
_LEFT = np.uint64(2**64 - 8)  # minus eight: bits of a digit
_JOINS = (
    # neighbours to keep, 1 + (place value << width), width in bits
    (np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(1 + (10 << 8)), np.uint64(8)),
    (np.uint64(0x00FF00FF00FF00FF), np.uint64(1 + (100 << 16)), np.uint64(16)),
    (np.uint64(0x0000FFFF0000FFFF), np.uint64(1 + (10_000 << 32)), np.uint64(32)),
)


def read_numbers(text: bytes, begins: Integers, ends: Integers) -> Integers | None:
    """The numbers at text[begin:end]; None if one of them is not 1 to 16 decimal digits.

    The first PADDING bytes of the text hold no number.
    """
    lengths = ends - begins
    if not lengths.size:
        return lengths
    if lengths.min() < 1 or lengths.max() > LONGEST:
        return None
    # A view of the eight bytes from every place of the text on; nothing is copied.
    words: Words = np.ndarray((len(text) - 7,), "<u8", text, 0, (1,))
    numbers = _eight(words[ends - 8], np.minimum(lengths, 8))
    long = np.flatnonzero(lengths > 8)
    if numbers is None or not long.size:
        return numbers
    upper = _eight(words[ends[long] - 16], lengths[long] - 8)
    if upper is None:
        return None
    numbers[long] += upper * 10**8
    return numbers


def _eight(words: Words, lengths: Integers) -> Integers | None:
    """Numbers of at most eight digits that end where their words end."""
    # What stands before a number is shifted out; zeros count as leading zeros. In place: new arrays
    # for each step would take as long as the steps.
    outside: Words = (lengths - 8).view(np.uint64)
    outside *= _LEFT
    digits = words ^ _ZEROS
    digits >>= outside
    digits <<= outside
    above = digits + _CARRY
    above |= digits
    above &= _UPPER
    if above.any():
        return None
    for keep, factor, width in _JOINS:
        digits &= keep
        digits *= factor
        digits >>= width
    return digits.view(np.int64)
