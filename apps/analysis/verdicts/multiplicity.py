"""Families of comparisons that are tested together, and their order.

Decided by workloads and numbers of repeats only, never by measured values, so that the error rate
of 5 % holds.
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

METRIC_INDEX = {metric: index for index, metric in enumerate(COMPARISON_METRICS)}
ROUNDING = 1e-3
LARGE_BLOCK = 64 * 1024
"""Bytes per operation from which the main metric is bandwidth, below it IOPS."""
RATES = ("iops", "bandwidth")
FIXED_RATE_METRIC = "latency_p99"
"""Main metric of a test with a fixed rate."""
MAIN_METRICS = (*RATES, FIXED_RATE_METRIC)
CHAIN = (
    *RATES, "latency_mean", "latency_p99", "latency_p50", "latency_p95", "latency_p999",
    "latency_max",
)  # fmt: skip
"""Order of tests after the main metric.

The mean latency at a fixed depth repeats the information of IOPS, so it blocks nothing; the most
variable metric is last.
"""


@dataclass(frozen=True)
class Pair:
    """Level (`b`) against the baseline (`a`) in one group: rows of repeats.

    `counts_a`, `counts_b`: number of values by metric. `same_information`: bandwidth is IOPS times
    one block size in every repeat, so both are one comparison; `size`: block size of the baseline
    in bytes, NaN if unknown. `separated`: one side was measured completely before the other;
    `incomparable_windows`: metrics with different window lengths, and the difference.
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
    incomparable_windows: Mapping[str, Difference] = field(default_factory=dict)

    @cached_property
    def present(self) -> frozenset[str]:
        """Return the metrics with values on both sides."""
        return marked(tuple(map(bool, map(min, self.counts_a, self.counts_b))))

    @property
    def testable(self) -> frozenset[str]:
        """Return the metrics with values on both sides over the same windows."""
        return self.present.difference(self.incomparable_windows)

    @cached_property
    def measured(self) -> frozenset[str]:
        """Return the metrics with values on either side."""
        return marked(tuple(map(bool, map(max, self.counts_a, self.counts_b))))

    def counts(self, metric: str) -> tuple[int, int]:
        index = METRIC_INDEX[metric]
        return self.counts_a[index], self.counts_b[index]


def main_of(preferred: str, present: Collection[str]) -> str:
    """Return the main metric of a workload: `preferred`, else the first of CHAIN in `present`."""
    return next((metric for metric in (preferred, *CHAIN) if metric in present), preferred)


def preferred_metric(size: float, params: Parameters) -> str:
    """Return IOPS for small blocks, bandwidth for large ones, latency p99 for a fixed rate.

    `size`: of a block in bytes, NaN if unknown.
    """
    if any(params[name] for name in _rates(tuple(params))):
        return FIXED_RATE_METRIC
    return "bandwidth" if size >= LARGE_BLOCK else "iops"


# Thousands of workloads have the same parameters.
@lru_cache(maxsize=256)
def _rates(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.startswith("rate"))


# Thousands of pairs have the same metrics.
@lru_cache(maxsize=256)
def chain_of(
    present: frozenset[str], same_information: bool, main: str, requested: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the metrics of a pair in test order: those in `requested`, or all that are present.

    Omits metrics with the information of an earlier one, and those without a better direction.
    """
    requested = tuple(
        metric for metric in requested if METRICS[metric].higher_is_better is not None
    )
    chain = dict.fromkeys((main, *CHAIN, *requested))
    result = [metric for metric in chain if metric in present]
    result = [metric for metric in result if not requested or metric in requested]
    if same_information and set(RATES) <= set(result):
        result.remove(max(RATES, key=result.index))
    return tuple(result or requested[:1] or (main,))


@lru_cache(maxsize=256)
def marked(marks: tuple[bool, ...]) -> frozenset[str]:
    """Return the metrics with a mark."""
    return frozenset(metric for metric, mark in zip(COMPARISON_METRICS, marks, strict=True) if mark)
