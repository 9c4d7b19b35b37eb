"""Targets of a fleet that are far from their siblings. Pure.

Hampel's identifier on logarithms: how far a value is from the median, in median absolute
deviations (Davies and Gather, The Identification of Multiple Outliers, JASA 88, 1993). The border
is a quantile of Student's t whose degrees of freedom are what such a deviation of so few values
is worth, at a level shared by all targets (Sidak): of fleets of equal targets at most one in
twenty has an outlier (simulated: 0.01 of 6 targets, 0.02 of 24, 0.05 of 100 and of 800).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import median

ALPHA = 0.05
"""Fleets of equal targets in which any is called an outlier."""
MIN_PEERS = 5
MIN_LOG_DISTANCE = log(1.02)
"""Nearness below which nothing is an outlier, however equal the others are: 2 %."""
_WORTH = 0.37
"""Degrees of freedom of a median absolute deviation for each of its values."""
_NORMAL = 1.4826
"""Standard deviations of normal noise in a median absolute deviation."""


def outlier_ratio(siblings: Sequence[float], targets: int) -> float | None:
    """The ratio to the median beyond which one of these positive values is an outlier, where
    `targets` are judged in all; None where there are too few.
    """
    if len(siblings) <= MIN_PEERS:
        return None
    logs = [log(value) for value in siblings]
    middle = median(logs)
    spread = _NORMAL * median(abs(value - middle) for value in logs)
    level = 1 - (1 - ALPHA) ** (1 / targets)
    # scipy takes half a second to load: commands and other pages do without it.
    from scipy.special import stdtrit

    reach = float(stdtrit(_WORTH * (len(logs) - 1), 1 - level / 2)) * spread
    return exp(max(reach, MIN_LOG_DISTANCE))


def outliers(groups: Sequence[Sequence[float]]) -> list[list[bool]]:
    """Of each value in each group whether it is an outlier among its group's; what is not above
    zero is left alone.
    """
    targets = sum(len(group) for group in groups)
    return [_flagged(group, targets) for group in groups]


def _flagged(group: Sequence[float], targets: int) -> list[bool]:
    positive = [value for value in group if value > 0]
    border = outlier_ratio(positive, targets)
    if border is None:
        return [False] * len(group)
    middle = exp(median(log(value) for value in positive))
    return [value > 0 and max(value / middle, middle / value) > border for value in group]
