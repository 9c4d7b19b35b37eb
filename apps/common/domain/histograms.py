"""Latency histograms with fio's log-linear bins: add them, then compute percentiles.

Percentiles are never averaged. Bins follow fio's stat.c (`plat_val_to_idx`, `plat_idx_to_val`):
values below 128 ns have a bin each, above that every octave has 64. A bin is named by its centre,
as in fio's json+ output. Functions take ascending bins, as integers in ns, and as many counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from apps.tools.histogram import percentile_indices

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Histogram = tuple[Sequence[int] | Ints, Sequence[int] | Ints]
FIO_BITS = 6
"""FIO_IO_U_PLAT_BITS of fio: 2**6 bins an octave."""


def merge(histograms: Iterable[Histogram]) -> tuple[Ints, Ints]:
    """Return the sum of histograms per bin, of jobs, hosts or repeats; empty arrays for none."""
    parts = [(np.asarray(b, dtype=np.int64), np.asarray(c, dtype=np.int64)) for b, c in histograms]
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    bins, where = np.unique(np.concatenate([b for b, _ in parts]), return_inverse=True)
    counts = np.zeros(len(bins), np.int64)
    np.add.at(counts, where, np.concatenate([c for _, c in parts]))
    return bins, counts


def percentiles(
    bins: Sequence[int] | Ints, counts: Sequence[int] | Ints, percentages: Sequence[float]
) -> list[int | None]:
    """Return ns at each percentile (0 to 100) by fio's rule; None without any operation."""
    if not np.any(np.asarray(counts, dtype=np.int64)):
        return [None] * len(percentages)
    return [int(bins[index]) for index in percentile_indices(counts, percentages)]


def cdf(bins: Sequence[int] | Ints, counts: Sequence[int] | Ints) -> tuple[Ints, Floats]:
    """Return (ns, share of operations at or below it, 0 to 1); empty bins are omitted."""
    values, amounts = np.asarray(bins, dtype=np.int64), np.asarray(counts, dtype=np.int64)
    values, amounts = values[amounts > 0], amounts[amounts > 0]
    running = np.cumsum(amounts)
    return values, running / running[-1] if len(running) else np.empty(0, np.float64)


def to_fixed(
    bins: Sequence[int] | Ints, counts: Sequence[int] | Ints, most: int = 120
) -> tuple[Ints, Ints, Ints]:
    """Return (lower edges, upper edges, counts) of at most `most` adjacent buckets for display.

    Buckets are fio's with 2**k an octave, with the largest k that `most` permits: each is a whole
    number of fio's bins, so no count is split. Empty buckets are included. Raises: ValueError if
    one bucket an octave is too many.
    """
    values, amounts = np.asarray(bins, dtype=np.int64), np.asarray(counts, dtype=np.int64)
    values, amounts = values[amounts > 0], amounts[amounts > 0]
    if not len(values):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    for bits in range(FIO_BITS, -1, -1):
        indices = _index(values, bits)
        if indices[-1] - indices[0] < most:
            return _filled(indices, amounts, bits)
    raise ValueError(f"the values span more than {most} octaves")


def _octave(values: Ints) -> Ints:
    """Return floor(log2(value)), 0 for 0; exact for every int64, unlike np.log2."""
    result = np.zeros_like(values)
    rest = values.copy()
    for step in (32, 16, 8, 4, 2, 1):
        large = rest >= (np.int64(1) << step)
        result += large * step
        rest = np.where(large, rest >> step, rest)
    return result


def _index(values: Ints, bits: int) -> Ints:
    """Return fio's `plat_val_to_idx` with another number of bits."""
    shift = np.maximum(_octave(values) - bits, 0)
    return (shift << bits) + (values >> shift)


def _lower(indices: Ints, bits: int) -> Ints:
    """Return the smallest value of each index, the inverse of `_index`."""
    shift = np.maximum((indices >> bits) - 1, 0)
    lower: Ints = (indices - (shift << bits)) << shift
    return lower


def _filled(indices: Ints, amounts: Ints, bits: int) -> tuple[Ints, Ints, Ints]:
    span = np.arange(indices[0], indices[-1] + 2, dtype=np.int64)
    counts = np.zeros(len(span) - 1, np.int64)
    np.add.at(counts, indices - indices[0], amounts)
    borders = _lower(span, bits)
    return borders[:-1], borders[1:], counts
