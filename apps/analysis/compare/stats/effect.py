"""By how much: the ratio of b to a, and the interval of ratios the data cannot rule out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apps.analysis.compare.stats import nulls
from apps.analysis.compare.stats.samples import Blocks, Values, clean, paired_values

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effect:
    """`ratio` is b over a; `low` to `high` its exact interval (closed, at least the confidence
    asked for).

    `ratio` is None when a side has no value or the ratio is not finite (a measured zero, b did
    not). `low` is None when there are too few values for an interval or it is not finite; the
    same for `high`. `excludes_one`: the interval exists and 1 is outside, which also holds for an
    infinite ratio.
    """

    ratio: float | None
    low: float | None
    high: float | None
    excludes_one: bool = False


NO_EFFECT = Effect(None, None, None)


def log_ratio(a: float, b: float) -> float:
    """ln(b / a). Two zeros are equal (0.0); one zero makes it infinite."""
    if a == b:
        return 0.0
    if a == 0 or b == 0:
        return math.inf if a == 0 else -math.inf
    return math.log(b) - math.log(a)


def hodges_lehmann_ratio(
    a: Values, b: Values, blocks: Blocks | None = None, confidence: float = 0.95
) -> Effect:
    """The effect of b over a as a ratio (Hodges and Lehmann 1963, on logarithms), with an exact
    interval.

    Unpaired: median of all n_a * n_b log ratios; the interval leaves out as many of them at each
    end as Mann and Whitney's U allows. With `blocks` of one value a side: median of the Walsh
    averages of the blocks' log ratios; the interval is the inverted signed-rank test. Units
    cancel: any unit, the same on both sides.
    """
    tail = (1 - confidence) / 2
    pairs = paired_values(a, b, blocks)
    if pairs is not None:
        ratios = np.array([log_ratio(x, y) for x, y in pairs])
        return _effect(_walsh(ratios), nulls.signed_rank_critical(len(ratios), tail))
    kept_a, kept_b = clean(a), clean(b)
    if not kept_a or not kept_b:
        return NO_EFFECT
    critical = nulls.rank_sum_critical(len(kept_a), len(kept_b), tail)
    return _effect(_pairwise(kept_a, kept_b), critical)


def _pairwise(a: list[float], b: list[float]) -> Array:
    """All log ratios, ascending, with the rules of `log_ratio` for zeros."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs_a, logs_b = np.log(a), np.log(b)
        differences = np.subtract.outer(logs_b, logs_a).ravel()
    differences[np.isnan(differences)] = 0.0
    differences.sort()
    return differences


def _walsh(ratios: Array) -> Array:
    """Averages of each value with itself and every other, ascending; opposite infinities balance
    to 0.
    """
    first, second = np.triu_indices(len(ratios))
    with np.errstate(invalid="ignore"):
        averages = (ratios[first] + ratios[second]) / 2
    averages[np.isnan(averages)] = 0.0
    averages.sort()
    return averages


def _effect(ordered: Array, left_out: int) -> Effect:
    size = len(ordered)
    lower_middle, upper_middle = float(ordered[(size - 1) // 2]), float(ordered[size // 2])
    middle = lower_middle if lower_middle == upper_middle else (lower_middle + upper_middle) / 2
    if left_out == 0:
        return Effect(_ratio(middle), None, None)
    low, high = float(ordered[left_out - 1]), float(ordered[size - left_out])
    return Effect(_ratio(middle), _ratio(low), _ratio(high), low > 0 or high < 0)


def _ratio(logarithm: float) -> float | None:
    if math.isnan(logarithm) or logarithm > 700:
        return None
    return math.exp(logarithm)
