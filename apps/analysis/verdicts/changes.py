"""Changes as readers check them: the ratio of the two medians, and the estimate beside it where the
two disagree. Pure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from apps.stats.effect import Effect

ROUNDING = math.log(1.005)
"""Half a percent: the least difference of two ratios that changes what a reader concludes."""


@dataclass(frozen=True)
class Change:
    """A level against the baseline. `medians`: the ratio of the two medians; `effect`: the ratio of
    the typical pair of repeats with its interval, to which the verdict belongs.
    """

    medians: float | None
    effect: Effect

    @cached_property
    def agrees(self) -> bool:
        """Whether one figure is enough: both ratios are equal but for rounding, and the interval
        holds that of the medians.
        """
        medians, effect = self.medians, self.effect
        if medians is None or effect.ratio is None or not _is_near(medians, effect.ratio):
            return False
        low = -math.inf if effect.low is None else effect.low
        high = math.inf if effect.high is None else effect.high
        return low <= medians <= high

    @property
    def shown(self) -> float | None:
        """The ratio that is shown first: that of the medians, which a reader can work out."""
        return self.effect.ratio if self.medians is None else self.medians

    @property
    def needs_both(self) -> bool:
        """Whether both ratios are there and disagree."""
        return self.medians is not None and self.effect.ratio is not None and not self.agrees


def change_of(baseline: float | None, level: float | None, effect: Effect) -> Change:
    """The change between these medians. Without a baseline above zero they have no ratio."""
    ratio = level / baseline if baseline and level is not None else None
    return Change(ratio, effect)


def _is_near(a: float, b: float) -> bool:
    if not (a > 0 and b > 0):
        return a == b
    return abs(math.log(a / b)) <= ROUNDING
