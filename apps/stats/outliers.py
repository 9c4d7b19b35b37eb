"""Outliers among the targets of a fleet.

Hampel's identifier on logarithms: the distance of a value from the median, in median absolute
deviations (Davies and Gather, The Identification of Multiple Outliers, JASA 88, 1993). The
threshold is a quantile of Student's t, with the degrees of freedom of a median absolute deviation
of so few values, at a level shared by all targets (Sidak). At most 5 % of fleets of equal targets
have an outlier (simulated: 0.01 of 6 targets, 0.02 of 24, 0.05 of 100 and of 800).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import median

from apps.stats.spread import NORMAL_MAD

ALPHA = 0.05
"""Share of fleets of equal targets with an outlier."""
MIN_PEERS = 5
MIN_LOG_DISTANCE = log(1.02)
"""Minimum distance of an outlier, however equal the other values are: 2 %."""
_FREEDOM_PER_VALUE = 0.37
"""Degrees of freedom of a median absolute deviation per value."""


def outlier_ratio(peers: Sequence[float], targets: int) -> float | None:
    """Return the ratio to the median beyond which one of these positive values is an outlier.

    `targets`: number of all tested targets. None if there are too few values.
    """
    if len(peers) <= MIN_PEERS:
        return None
    logs = [log(value) for value in peers]
    median_value = median(logs)
    spread = NORMAL_MAD * median(abs(value - median_value) for value in logs)
    level = 1 - (1 - ALPHA) ** (1 / targets)
    # Lazy import: scipy takes 0.5 s to load, and most commands and pages do not need it.
    from scipy.special import stdtrit

    reach = float(stdtrit(_FREEDOM_PER_VALUE * (len(logs) - 1), 1 - level / 2)) * spread
    return exp(max(reach, MIN_LOG_DISTANCE))


def outliers(groups: Sequence[Sequence[float]]) -> list[list[bool]]:
    """Return for each value of each group whether it is an outlier; values of zero are not."""
    targets = sum(len(group) for group in groups)
    return [_flagged(group, targets) for group in groups]


def _flagged(group: Sequence[float], targets: int) -> list[bool]:
    positive = [value for value in group if value > 0]
    threshold = outlier_ratio(positive, targets)
    if threshold is None:
        return [False] * len(group)
    median_value = exp(median(log(value) for value in positive))
    return [
        value > 0 and max(value / median_value, median_value / value) > threshold for value in group
    ]
