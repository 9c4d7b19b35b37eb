"""Block sizes as parameters: one size, or a range for each direction, in one form of writing for
fio's text and its JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.param_values import parse_size
from apps.tools.values import Parameters

Range = tuple[int, int]
"""Smallest and largest bytes per operation."""
_UNITS = ((1024**3, "g"), (1024**2, "m"), (1024, "k"))
_DIRECTIONS = 3  # reads, writes, trims


def size_params(ranges: Sequence[Range]) -> Parameters:
    """Return `bs` where all operations have one size, else `bsrange` ("1k-32k", or "4k-4k,64k-64k"
    by direction). `ranges`: those of reads, writes and trims; a missing one is the one before.
    """
    if not ranges:
        return {}
    sizes = {size for each in ranges for size in each}
    if len(sizes) == 1:
        return {"bs": sizes.pop()}
    shown = list(ranges[:_DIRECTIONS])
    while len(shown) > 1 and shown[-1] == shown[-2]:
        shown.pop()
    return {"bsrange": ",".join(f"{_size(low)}-{_size(high)}" for low, high in shown)}


def ranges_of(text: str) -> list[Range] | None:
    """Return the ranges of an option's text: "4k", "4k,64k", "1k-32k" or "4k-4k,8k-64k"; None for
    other text.
    """
    found: list[Range] = []
    try:
        for each in text.split(",")[:_DIRECTIONS]:
            low, _, high = each.partition("-")
            found.append((parse_size(low), parse_size(high or low)))
    except ValueError:
        return None
    return found


def _size(size: int) -> str:
    for unit, letter in _UNITS:
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)
