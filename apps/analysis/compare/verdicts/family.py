"""Families of comparisons: those that are tested together, and their order. Decided by workloads
and numbers of repeats alone, never by what was measured, so the promise of 5 in 100 stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from apps.analysis.compare.matching.guard import Difference
from apps.analysis.compare.matching.repeats import Ints, Repeats
from apps.tools.metrics import COMPARED, METRICS
from apps.tools.values import Parameters

PLACES = {metric: place for place, metric in enumerate(COMPARED)}
ROUNDING = 1e-3
LARGE_BLOCK = 64 * 1024
"""From this size on people ask for the bandwidth of a test, below it for its IOPS."""
RATES = ("iops", "bandwidth")
PACED = "latency_p99"
"""The main metric of a test with a given rate."""
MAIN_METRICS = (*RATES, PACED)
CHAIN = (
    *RATES, "latency_mean", "latency_p99", "latency_p50", "latency_p95", "latency_p999",
    "latency_max",
)  # fmt: skip
"""The order behind the main metric. The mean latency of a test at a fixed depth says what its IOPS
say, so it holds nothing up; what varies most is last.
"""


@dataclass(frozen=True)
class Pair:
    """A level (`b`) against the baseline (`a`) in one group: rows of repeats. `counts_a` and
    `counts_b`: how many of them have a value of each of COMPARED. `same_information`: bandwidth is
    IOPS times one block size in every repeat, so that they are one comparison, said twice; `size`:
    that of the baseline, bytes, NaN where it is not known.
    """

    level: str
    a: Ints
    b: Ints
    differing: tuple[Difference, ...]
    counts_a: Sequence[int]
    counts_b: Sequence[int]
    same_information: bool
    size: float = math.nan

    @cached_property
    def present(self) -> frozenset[str]:
        """The metrics of which both sides have a value."""
        return _marked(tuple(map(bool, map(min, self.counts_a, self.counts_b))))

    @cached_property
    def measured(self) -> frozenset[str]:
        """The metrics of which either side has a value."""
        return _marked(tuple(map(bool, map(max, self.counts_a, self.counts_b))))

    def counts(self, metric: str) -> tuple[int, int]:
        place = PLACES[metric]
        return self.counts_a[place], self.counts_b[place]


class CountedConditions:
    """Counts of each side's conditions, for all sides at once: they are given one after another."""

    def __init__(self, repeats: Repeats, sides: Sequence[Ints]) -> None:
        lengths = [len(rows) for rows in sides]
        starts = np.cumsum([0, *lengths[:-1]], dtype=np.int64)
        rows = np.concatenate(sides)
        values = np.isfinite(repeats.values[rows])
        self.values: list[list[int]] = np.add.reduceat(values, starts, dtype=np.int64).tolist()
        iops, bandwidth = repeats.metric("iops")[rows], repeats.metric("bandwidth")[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.where((iops > 0) & (bandwidth > 0), bandwidth / iops, np.nan)
        self._smallest: list[float] = np.minimum.reduceat(size, starts).tolist()
        self._largest: list[float] = np.maximum.reduceat(size, starts).tolist()

    def same_information(self, a: int, b: int) -> bool:
        """Whether both sides' repeats have one block size; a repeat without one (NaN) has not."""
        sizes = self._smallest[a], self._smallest[b], self._largest[a], self._largest[b]
        return max(sizes) <= min(sizes) * (1 + ROUNDING) and not any(map(math.isnan, sizes))

    def size(self, side: int) -> float:
        """The smallest block size of a side's repeats, bytes; NaN where one has none."""
        return self._smallest[side]


def main_metric(pairs: Sequence[Pair], size: float, params: Parameters) -> str:
    """The metric that a workload is judged by: IOPS of small blocks, bandwidth of large ones;
    where the rate is given, latency p99, as the rate says nothing then. `size`: of a block, NaN
    where it is not known.
    """
    wanted = wanted_metric(size, params)
    present = (m for m in (wanted, *CHAIN) if any(m in pair.present for pair in pairs))
    return next(present, wanted)


def wanted_metric(size: float, params: Parameters) -> str:
    """The main metric as `main_metric` has it, were all metrics measured."""
    if any(params[name] for name in _rates(tuple(params))):
        return PACED
    return "bandwidth" if size >= LARGE_BLOCK else "iops"


# Thousands of workloads have the same parameters.
@lru_cache(maxsize=256)
def _rates(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.startswith("rate"))


def chain_of(pair: Pair, main: str, asked: Sequence[str]) -> tuple[str, ...]:
    """The metrics of a pair that are tested one behind the other: those asked for, or all. What
    says the same as one before it is left out (`twin`), and so is what cannot be better or worse.
    """
    return _chain(pair.present, pair.same_information, main, tuple(asked))


# Thousands of pairs have the same metrics.
@lru_cache(maxsize=256)
def _chain(
    present: frozenset[str], same_information: bool, main: str, asked: tuple[str, ...]
) -> tuple[str, ...]:
    asked = tuple(metric for metric in asked if METRICS[metric].higher_is_better is not None)
    chain = dict.fromkeys((main, *CHAIN, *asked))
    found = [metric for metric in chain if metric in present]
    found = [metric for metric in found if not asked or metric in asked]
    if same_information and set(RATES) <= set(found):
        found.remove(max(RATES, key=found.index))
    return tuple(found or asked[:1] or (main,))


@lru_cache(maxsize=256)
def _marked(marks: tuple[bool, ...]) -> frozenset[str]:
    return frozenset(metric for metric, mark in zip(COMPARED, marks, strict=True) if mark)
