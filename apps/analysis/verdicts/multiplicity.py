"""Families of comparisons: those that are tested together, and their order. Decided by workloads
and numbers of repeats alone, never by what was measured, so the promise of 5 in 100 stands.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from apps.analysis.repeats.confounders import Difference
from apps.analysis.repeats.repeats import Ints
from apps.tools.metrics import COMPARISON_METRICS, METRICS
from apps.tools.values import Parameters

PLACES = {metric: place for place, metric in enumerate(COMPARISON_METRICS)}
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
    that of the baseline, bytes, NaN where it is not known. `separated`: one side was measured
    completely before the other; `windows_apart`: metrics whose windows differ, with the difference.
    """

    level: str
    a: Ints
    b: Ints
    differing: tuple[Difference, ...]
    counts_a: Sequence[int]
    counts_b: Sequence[int]
    same_information: bool
    size: float = math.nan
    separated: bool = False
    windows_apart: Mapping[str, Difference] = field(default_factory=dict)

    @cached_property
    def present(self) -> frozenset[str]:
        """The metrics of which both sides have a value."""
        return marked(tuple(map(bool, map(min, self.counts_a, self.counts_b))))

    @property
    def testable(self) -> frozenset[str]:
        """The metrics of which both sides have a value, over the same windows."""
        return self.present.difference(self.windows_apart)

    @cached_property
    def measured(self) -> frozenset[str]:
        """The metrics of which either side has a value."""
        return marked(tuple(map(bool, map(max, self.counts_a, self.counts_b))))

    def counts(self, metric: str) -> tuple[int, int]:
        place = PLACES[metric]
        return self.counts_a[place], self.counts_b[place]


def main_of(wanted: str, present: Collection[str]) -> str:
    """The metric that a workload is judged by: the one that is `wanted`, or where nobody measured
    it the first of the chain that is `present` on both sides of a pair.
    """
    return next((metric for metric in (wanted, *CHAIN) if metric in present), wanted)


def wanted_metric(size: float, params: Parameters) -> str:
    """IOPS of small blocks, bandwidth of large ones; where the rate is given, latency p99, as the
    rate says nothing then. `size`: of a block in bytes, NaN where it is not known.
    """
    if any(params[name] for name in _rates(tuple(params))):
        return PACED
    return "bandwidth" if size >= LARGE_BLOCK else "iops"


# Thousands of workloads have the same parameters.
@lru_cache(maxsize=256)
def _rates(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.startswith("rate"))


# Thousands of pairs have the same metrics.
@lru_cache(maxsize=256)
def chain_of(
    present: frozenset[str], same_information: bool, main: str, asked: tuple[str, ...]
) -> tuple[str, ...]:
    """The metrics of a pair that are tested one behind the other: those asked for, or all that are
    present. What says the same as one before it is left out, and so is what cannot be better or
    worse.
    """
    asked = tuple(metric for metric in asked if METRICS[metric].higher_is_better is not None)
    chain = dict.fromkeys((main, *CHAIN, *asked))
    found = [metric for metric in chain if metric in present]
    found = [metric for metric in found if not asked or metric in asked]
    if same_information and set(RATES) <= set(found):
        found.remove(max(RATES, key=found.index))
    return tuple(found or asked[:1] or (main,))


@lru_cache(maxsize=256)
def marked(marks: tuple[bool, ...]) -> frozenset[str]:
    """The metrics of COMPARED with a mark."""
    return frozenset(metric for metric, mark in zip(COMPARISON_METRICS, marks, strict=True) if mark)
