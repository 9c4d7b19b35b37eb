"""Encode series as chunks of little-endian float32, with the extremes of each tile.

Timestamps follow from the start and interval of the series. Missing samples are NaN. Compared with
a row per sample: a twelfth of the bytes, 60 times the loading speed
(docs/development/performance.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CHUNK = 10_000
TILE = 1_000
FLOAT = np.dtype("<f4")


@dataclass(frozen=True)
class Chunk:
    """Up to CHUNK samples, with minimum and maximum of each TILE, as float32 bytes."""

    index: int
    values: bytes
    tile_minima: bytes
    tile_maxima: bytes


def encode(values: Sequence[float | None] | NDArray[np.float32]) -> list[Chunk]:
    """Return the chunks of a series; None becomes NaN."""
    array = array_of(values)
    return [
        _chunk(number, array[start : start + CHUNK])
        for number, start in enumerate(range(0, len(array), CHUNK))
    ]


def array_of(values: Sequence[float | None] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Return samples as float32; None becomes NaN."""
    if hasattr(values, "__array__"):  # a log's millions of values, as an array already
        return np.asarray(values, dtype=FLOAT)
    return np.asarray([np.nan if v is None else v for v in values], dtype=FLOAT)


def decode(pieces: Sequence[bytes]) -> NDArray[np.float32]:
    """Return the samples of consecutive chunks."""
    return np.frombuffer(b"".join(bytes(piece) for piece in pieces), dtype=FLOAT)


def _chunk(number: int, part: NDArray[np.float32]) -> Chunk:
    padding = -len(part) % TILE
    tiles = np.pad(part, (0, padding), constant_values=np.nan).reshape(-1, TILE)
    known = ~np.isnan(tiles)
    minima = np.where(known, tiles, np.inf).min(axis=1)
    maxima = np.where(known, tiles, -np.inf).max(axis=1)
    empty = ~known.any(axis=1)
    minima[empty] = maxima[empty] = np.nan
    return Chunk(
        number,
        part.tobytes(),
        minima.astype(FLOAT).tobytes(),
        maxima.astype(FLOAT).tobytes(),
    )
