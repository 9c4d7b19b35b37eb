"""Disturbances of made-up pages beyond drift: unequal spread, dependent noise, outliers, tests that
act on the next one, and first repeats that differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
OUTLIER = 15.0
"""Deviations by which an outlier lies lower."""


@dataclass(frozen=True)
class Disturbance:
    """`spread`: noise of the second side over that of the first; `autocorrelation` of the noise of
    one workload's measurements in their order; `outliers`: their share; `carry_over`: deviations by
    which a measurement of the second side lowers the next one; `warm_up`: deviations by which the
    first measurement of a block is lower, half as much the next one, and so on.
    """

    spread: float = 1.0
    autocorrelation: float = 0.0
    outliers: float = 0.0
    carry_over: float = 0.0
    warm_up: float = 0.0

    def applied(
        self,
        rng: np.random.Generator,
        noise: Floats,
        second: npt.NDArray[np.bool_],
        blocks: npt.NDArray[np.int64],
    ) -> Floats:
        """The disturbed noise (in deviations) of measurements in their order, of which those of the
        `second` side are marked.
        """
        found = noise.copy()
        if self.autocorrelation:
            for place in range(1, len(found)):
                found[place] *= sqrt(1 - self.autocorrelation**2)
                found[place] += self.autocorrelation * found[place - 1]
        found[second] *= self.spread
        if self.outliers:
            found -= OUTLIER * (rng.random(len(found)) < self.outliers)
        found[1:] -= self.carry_over * second[:-1]
        if self.warm_up:
            begun = np.searchsorted(blocks, blocks)
            found -= self.warm_up * 0.5 ** (np.arange(len(found)) - begun)
        return found


NONE = Disturbance()
SCENARIOS: Mapping[str, Disturbance] = {
    "equal": NONE,
    "spread 2 times": Disturbance(spread=2.0),
    "spread 3 times": Disturbance(spread=3.0),
    "spread 5 times": Disturbance(spread=5.0),
    "spread 10 times": Disturbance(spread=10.0),
    "autocorrelation 0.5": Disturbance(autocorrelation=0.5),
    "outliers, 5 %": Disturbance(outliers=0.05),
    "carry-over, half a deviation": Disturbance(carry_over=0.5),
    "warm-up, 3 deviations": Disturbance(warm_up=3.0),
}
"""Scenarios without a difference between the medians."""
