"""Exact figures and fio's bins from single latencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from apps.tools.fio.parser.bins.bins import Bins, Integers, histogram
from apps.tools.histogram import LAST_INDEX, PERCENTILES, bin_value, percentiles
from apps.tools.parse_result import Histogram, Latency

MAX_LATENCY_NS = 2**50  # ns, thirteen days: longer values are no latencies
_BITS = 6
_NAMES = np.array([bin_value(index) for index in range(LAST_INDEX + 1)], np.int64)


def _none() -> Integers:
    return np.zeros(LAST_INDEX + 1, np.int64)


@dataclass(slots=True)
class Latencies:
    """Accumulator of latencies in ns; `counts`: by the number of fio's bin."""

    count: int = 0
    sum: int = 0
    squares: float = 0.0
    shortest: int = MAX_LATENCY_NS
    longest: int = 0
    counts: Integers = field(default_factory=_none)

    def add(self, values: Integers) -> None:
        """Add latencies of operations."""
        if not values.size:
            return
        self.count += values.size
        self.sum += int(values.sum())
        self.squares += float(np.square(values.astype(np.float64)).sum())
        self.shortest = min(self.shortest, int(values.min()))
        self.longest = max(self.longest, int(values.max()))
        self.counts += np.bincount(indices(values), minlength=LAST_INDEX + 1)

    @property
    def histogram(self) -> Histogram | None:
        """Return the full distribution; None if empty."""
        return distribution(self.counts)

    def latency(self, names: Sequence[str] = PERCENTILES) -> Latency:
        """Return exact limits, mean and deviation, with percentiles of the bins, as fio does."""
        bins = self.histogram
        if bins is None:
            return Latency()
        mean = self.sum / self.count
        # Sample deviation, as in fio (stat.c, calc_lat).
        spread = max(0.0, self.squares - self.count * mean**2) / max(1, self.count - 1)
        return Latency(self.shortest, mean, self.longest, spread**0.5, percentiles(bins, names))


def indices(values: Integers) -> Integers:
    """Return the bin number of each latency: `apps.tools.histogram.bin_index` for arrays."""
    exponent = np.frexp(values.astype(np.float64))[1].astype(np.int64)
    error_bits = np.maximum(exponent - 1 - _BITS, 0)
    steps = (values >> error_bits) & ((1 << _BITS) - 1)
    numbers = np.where(exponent - 1 <= _BITS, values, ((error_bits + 1) << _BITS) + steps)
    return np.minimum(numbers, LAST_INDEX)


def distribution(counts: Integers) -> Histogram | None:
    """Return the distribution of counts by bin number."""
    return histogram(Bins(_NAMES, counts))
