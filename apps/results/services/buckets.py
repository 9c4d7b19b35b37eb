"""Encode histograms over time: rows of little-endian uint32, compressed with zstd."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import zstandard
from numpy.typing import NDArray

from apps.results.models import HistogramSeries

_LEVEL = 3
_MOST = np.iinfo(np.uint32).max
COUNT = np.dtype("<u4")


def packed_counts(counts: Sequence[Sequence[int]]) -> bytes:
    """Return encoded counts, a row per interval; counts above 32 bits are clipped."""
    matrix = np.minimum(np.asarray(counts, np.int64), _MOST).astype(COUNT)
    return zstandard.ZstdCompressor(_LEVEL).compress(matrix.tobytes())


def counts_of(row: HistogramSeries) -> NDArray[np.int64]:
    """Return the counts, intervals by buckets."""
    size = row.length * len(row.lows) * COUNT.itemsize
    plain = zstandard.ZstdDecompressor().decompress(bytes(row.counts), max_output_size=size or 1)
    return np.frombuffer(plain, COUNT).reshape(row.length, len(row.lows)).astype(np.int64)
