"""Evaluation of expectations: figures in, met or missed out. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from statistics import median

from apps.common.domain.verdicts import VerdictKind
from apps.plans.schemas.expectations import Direction, Expectation

RATES = ("iops", "bandwidth")


@dataclass(frozen=True)
class ExpectationResult:
    """Result of one expectation for the repeats of one configuration.

    Figures are in the metric's canonical unit. `middle`: median of the repeats. `low`, `high`: the
    interval compared with `bound`, the expected value with its tolerance. `exact`: it is the
    interval of at least 95 % for the median, else the range of the repeats. `margin`: distance of
    the median from the expected value as a share of it, positive if better. `spared`: missed, but
    the other SLA limit is met, and both cannot be exceeded.
    """

    judged: VerdictKind
    repeats: int
    bound: float
    middle: float | None = None
    low: float | None = None
    high: float | None = None
    exact: bool = False
    margin: float | None = None
    spared: bool = False


def limit_of(value: float, direction: Direction, tolerance: float) -> float:
    """Return the limit: the value minus or plus its tolerance (percent)."""
    sign = -1 if direction == "least" else 1
    return value * (1 + sign * tolerance / 100)


def is_either(expected: Expectation) -> bool:
    """Return True for an SLA limit of which a disk reaches only one: IOPS or bandwidth."""
    return expected.source == "provider" and expected.metric in RATES


def judge(
    value: float, direction: Direction, bound: float, figures: Sequence[float]
) -> ExpectationResult:
    """Compare the valid repeats of one configuration with an expected value and its bound."""
    finite = sorted(figure for figure in figures if math.isfinite(figure))
    if not finite:
        return ExpectationResult(VerdictKind.UNKNOWN, 0, bound)
    middle = median(finite)
    low, high, exact = interval(finite)
    apart = middle / value - 1
    return ExpectationResult(
        judged=_side(low, high, direction, bound),
        repeats=len(finite),
        bound=bound,
        middle=middle,
        low=low,
        high=high,
        exact=exact,
        margin=apart if direction == "least" else -apart,
    )


def _side(low: float, high: float, direction: Direction, bound: float) -> VerdictKind:
    met = [end >= bound if direction == "least" else end <= bound for end in (low, high)]
    if all(met):
        return VerdictKind.MET
    return VerdictKind.INCONCLUSIVE if any(met) else VerdictKind.MISSED


def interval(ordered: Sequence[float]) -> tuple[float, float, bool]:
    """Return (low, high, exact) of ascending figures.

    Order statistics k and n + 1 - k, k the largest with P(Bin(n, 1/2) <= k - 1) <= 0.025: an
    interval of at least 95 % for the median of any distribution (Conover, Practical Nonparametric
    Statistics, 3.2). Fewer than 6 figures have none; their range is returned.
    """
    n, within, left_out = len(ordered), 0, 0
    while (within := within + comb(n, left_out)) * 40 <= 2**n:
        left_out += 1
    if left_out == 0:
        return ordered[0], ordered[-1], False
    return ordered[left_out - 1], ordered[n - left_out], True


def together(found: Sequence[tuple[bool, ExpectationResult]]) -> list[ExpectationResult]:
    """Return the results of one configuration and operation, with waived ones marked.

    Each comes with whether it is an SLA limit (`is_either`): if one of these is met, the others are
    waived.
    """
    reached = any(either and each.judged == VerdictKind.MET for either, each in found)
    return [
        replace(each, judged=VerdictKind.MET, spared=True)
        if either and reached and each.judged in (VerdictKind.MISSED, VerdictKind.INCONCLUSIVE)
        else each
        for either, each in found
    ]
