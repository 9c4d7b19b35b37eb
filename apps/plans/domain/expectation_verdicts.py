"""Evaluate expectations: met, missed or inconclusive. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from statistics import median as median_of

from apps.common.domain.verdicts import VerdictKind
from apps.plans.schemas.expectations import Direction, Expectation

RATES = ("iops", "bandwidth")


@dataclass(frozen=True)
class ExpectationResult:
    """Result of one expectation for the repeats of one configuration.

    Values are in the metric's canonical unit. `median`: of the repeats. `interval_low`,
    `interval_high`: the interval compared with `limit`, the expected value with its tolerance.
    `is_exact`: it is the interval of at least 95 % for the median, else the range of the repeats.
    `margin`: distance of the median from the expected value as a share of it, positive if better.
    `waived`: missed, but the other SLA limit is met, and both cannot be exceeded.
    """

    verdict: VerdictKind
    repeats: int
    limit: float
    median: float | None = None
    interval_low: float | None = None
    interval_high: float | None = None
    is_exact: bool = False
    margin: float | None = None
    waived: bool = False


def limit_of(value: float, direction: Direction, tolerance: float) -> float:
    """Return the limit: the value minus or plus its tolerance (percent)."""
    sign = -1 if direction == "least" else 1
    return value * (1 + sign * tolerance / 100)


def is_either(expected: Expectation) -> bool:
    """Return True for an SLA limit of which a disk reaches only one: IOPS or bandwidth."""
    return expected.source == "provider" and expected.metric in RATES


def evaluate(
    value: float, direction: Direction, limit: float, figures: Sequence[float]
) -> ExpectationResult:
    """Compare the valid repeats of one configuration with an expected value and its limit."""
    finite = sorted(figure for figure in figures if math.isfinite(figure))
    if not finite:
        return ExpectationResult(VerdictKind.UNKNOWN, 0, limit)
    median = median_of(finite)
    low, high, is_exact = median_interval(finite)
    margin = median / value - 1
    return ExpectationResult(
        verdict=_verdict(low, high, direction, limit),
        repeats=len(finite),
        limit=limit,
        median=median,
        interval_low=low,
        interval_high=high,
        is_exact=is_exact,
        margin=margin if direction == "least" else -margin,
    )


def _verdict(low: float, high: float, direction: Direction, limit: float) -> VerdictKind:
    met = [end >= limit if direction == "least" else end <= limit for end in (low, high)]
    if all(met):
        return VerdictKind.MET
    return VerdictKind.INCONCLUSIVE if any(met) else VerdictKind.MISSED


def median_interval(ordered: Sequence[float]) -> tuple[float, float, bool]:
    """Return (low, high, is_exact) of ascending figures.

    Order statistics k and n + 1 - k, k the largest with P(Bin(n, 1/2) <= k - 1) <= 0.025: an
    interval of at least 95 % for the median of any distribution (Conover, Practical Nonparametric
    Statistics, 3.2). Fewer than 6 figures have none; their range is returned.
    """
    n, within, excluded = len(ordered), 0, 0
    while (within := within + comb(n, excluded)) * 40 <= 2**n:
        excluded += 1
    if excluded == 0:
        return ordered[0], ordered[-1], False
    return ordered[excluded - 1], ordered[n - excluded], True


def waive_alternatives(
    results: Sequence[tuple[bool, ExpectationResult]],
) -> list[ExpectationResult]:
    """Return the results of one configuration and operation, with waived ones marked.

    Each comes with whether it is an SLA limit (`is_either`): if one of these is met, the others are
    waived.
    """
    reached = any(either and each.verdict == VerdictKind.MET for either, each in results)
    return [
        replace(each, verdict=VerdictKind.MET, waived=True)
        if either and reached and each.verdict in (VerdictKind.MISSED, VerdictKind.INCONCLUSIVE)
        else each
        for either, each in results
    ]
