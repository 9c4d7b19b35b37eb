"""The p of both rank statistics where their distributions are too large to count each time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apps.analysis.compare.stats import nulls

Ints = npt.NDArray[np.int64]

AFFORDABLE = 3e7
"""Additions up to which a distribution is counted all the same (some 30 ms): where one side is
short, few sums are possible however long the other is.
"""


def rank_sum_p(doubled: Ints, picked: int, observed: int) -> tuple[float, bool]:
    """Two-sided p of `picked` of these doubled ranks having this sum, and whether it was counted.

    Which way is taken looks at the numbers of values and at their ties, which both sides share.
    """
    fewer = min(picked, len(doubled) - picked)
    if fewer != picked:
        picked, observed = fewer, int(doubled.sum()) - observed
    ordered = np.sort(doubled)
    if _additions(ordered, picked) <= AFFORDABLE:
        null = nulls.rank_sum_null(tuple(ordered.tolist()), picked)
        return null.two_sided(observed), True
    if nulls.normal_will_do(ordered.tolist(), picked):
        return nulls.rank_sum_normal(ordered.tolist(), picked, observed), False
    return nulls.rank_sum_monte_carlo(ordered.tolist(), picked, observed), False


def signed_rank_p(doubled: Ints, observed: int) -> float:
    """Two-sided p of these doubled ranks' signs adding up to this sum."""
    if nulls.few_ties(doubled.tolist()):
        return nulls.signed_rank_normal(doubled.tolist(), observed)
    return nulls.signed_rank_monte_carlo(doubled.tolist(), observed)


def _additions(ordered: Ints, picked: int) -> float:
    """What `nulls.rank_sum_null` adds up: a table of counts by sums, once for each value."""
    return float(len(ordered)) * picked * float(ordered[len(ordered) - picked :].sum())
