"""Figures held against what was expected. Pure: figures in, met or missed out."""

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
    """One expectation against the repeats of one configuration.

    `middle`: their median, in the metric's canonical unit. `low`, `high`: the interval that was
    held against `bound`, the expected value with its tolerance; `exact`: it is the interval of at
    least 95 % for the median, else the range of all repeats. `margin`: how far the median is on the
    good side of the expected value, as a share of it; below zero on the bad side. `spared`: missed,
    but the provider's other promise is reached, and more than one of both cannot be.
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
    """The limit that a figure is held against: the value with its tolerance (percent) taken off
    or added.
    """
    sign = -1 if direction == "least" else 1
    return value * (1 + sign * tolerance / 100)


def is_either(expected: Expectation) -> bool:
    """Whether it is one of a provider's caps: a disk that is promised so many operations and so
    many bytes a second does no more than the one that is reached first.
    """
    return expected.source == "provider" and expected.metric in RATES


def judge(
    value: float, direction: Direction, bound: float, figures: Sequence[float]
) -> ExpectationResult:
    """Hold the valid repeats of one configuration against an expected value and its bound."""
    kept = sorted(figure for figure in figures if math.isfinite(figure))
    if not kept:
        return ExpectationResult(VerdictKind.UNKNOWN, 0, bound)
    middle = median(kept)
    low, high, exact = interval(kept)
    apart = middle / value - 1
    return ExpectationResult(
        judged=_side(low, high, direction, bound),
        repeats=len(kept),
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
    """(low, high, exact) of ascending figures: order statistics k and n + 1 - k, k the largest
    with P(Bin(n, 1/2) <= k - 1) <= 0.025, which are an interval of at least 95 % for the median
    whatever the distribution (Conover, Practical Nonparametric Statistics, 3.2); of fewer than 6
    there is none, and their range stands for it.
    """
    n, within, left_out = len(ordered), 0, 0
    while (within := within + comb(n, left_out)) * 40 <= 2**n:
        left_out += 1
    if left_out == 0:
        return ordered[0], ordered[-1], False
    return ordered[left_out - 1], ordered[n - left_out], True


def together(found: Sequence[tuple[bool, ExpectationResult]]) -> list[ExpectationResult]:
    """The findings of one configuration and operation, each with whether it is one of a provider's
    caps (`is_either`): where one of those is met the others are as well.
    """
    reached = any(either and each.judged == VerdictKind.MET for either, each in found)
    return [
        replace(each, judged=VerdictKind.MET, spared=True)
        if either and reached and each.judged in (VerdictKind.MISSED, VerdictKind.INCONCLUSIVE)
        else each
        for either, each in found
    ]
