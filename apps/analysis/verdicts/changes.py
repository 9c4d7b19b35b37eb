"""Change as readers check it: ratio of the medians, and the estimate if both disagree. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from apps.stats.effect import Effect

ROUNDING = math.log(1.005)
"""Logarithm of half a percent: smaller differences of two ratios are ignored."""


@dataclass(frozen=True)
class Change:
    """Level against the baseline.

    `medians`: ratio of the two medians; `effect`: ratio of the typical pair of repeats with the
    interval of the verdict.
    """

    medians: float | None
    effect: Effect

    @cached_property
    def agrees(self) -> bool:
        """Return True if both ratios are equal after rounding and within the interval."""
        medians, effect = self.medians, self.effect
        if medians is None or effect.ratio is None or not _is_equal_rounded(medians, effect.ratio):
            return False
        low = -math.inf if effect.low is None else effect.low
        high = math.inf if effect.high is None else effect.high
        return low <= medians <= high

    @property
    def shown(self) -> float | None:
        """Return the main ratio: that of the medians, which a reader can verify."""
        return self.effect.ratio if self.medians is None else self.medians

    @property
    def needs_both(self) -> bool:
        """Return True if both ratios exist and disagree."""
        return self.medians is not None and self.effect.ratio is not None and not self.agrees


def change_of(baseline: float | None, level: float | None, effect: Effect) -> Change:
    """Return the change between these medians, without a ratio unless the baseline is positive."""
    ratio = level / baseline if baseline and level is not None else None
    return Change(ratio, effect)


def _is_equal_rounded(a: float, b: float) -> bool:
    if not (a > 0 and b > 0):
        return a == b
    return abs(math.log(a / b)) <= ROUNDING
