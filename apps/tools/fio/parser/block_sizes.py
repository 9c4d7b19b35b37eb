"""Block sizes as parameters, in one notation for fio's text and its JSON."""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.param_values import parse_size
from apps.tools.values import Parameters

Range = tuple[int, int]
"""Smallest and largest bytes per operation."""
_UNITS = ((1024**3, "g"), (1024**2, "m"), (1024, "k"))
_DIRECTIONS = 3  # reads, writes, trims


def size_params(ranges: Sequence[Range]) -> Parameters:
    """Return `bs` if all operations have one size, else `bsrange`.

    `bsrange`: "1k-32k", or "4k-4k,64k-64k" by direction. `ranges`: those of reads, writes and
    trims; a missing one equals the previous one.
    """
    if not ranges:
        return {}
    sizes = {size for each in ranges for size in each}
    if len(sizes) == 1:
        return {"bs": sizes.pop()}
    distinct = list(ranges[:_DIRECTIONS])
    while len(distinct) > 1 and distinct[-1] == distinct[-2]:
        distinct.pop()
    return {"bsrange": ",".join(f"{_size(low)}-{_size(high)}" for low, high in distinct)}


def ranges_of(text: str) -> list[Range] | None:
    """Return the ranges of "4k", "4k,64k", "1k-32k" or "4k-4k,8k-64k"; None for other text."""
    ranges: list[Range] = []
    try:
        for each in text.split(",")[:_DIRECTIONS]:
            low, _, high = each.partition("-")
            ranges.append((parse_size(low), parse_size(high or low)))
    except ValueError:
        return None
    return ranges


def _size(size: int) -> str:
    for unit, letter in _UNITS:
        if size and size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)
