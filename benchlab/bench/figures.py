"""From raw rounds to one ratio: medians, spread, an interval, and whether the aim is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Literal

from apps.analysis.compare.stats import Effect, hodges_lehmann_ratio

NOISY_SPREAD = 0.25
LEAST_ROUNDS = 6  # fewer give no 95 % interval (signed-rank test of 5 pairs: p is at least 0.0625)
Reached = Literal["yes", "no", "open", "no aim"]


@dataclass(frozen=True)
class Aim:
    """The ratio a row should have: at most (`upper`) or at least `bound`."""

    bound: float
    upper: bool = True

    def met_by(self, ratio: float) -> bool:
        """Whether that ratio is on the right side of the bound."""
        return ratio <= self.bound if self.upper else ratio >= self.bound

    def __str__(self) -> str:
        return f"{'<=' if self.upper else '>='} {self.bound:g}"


@dataclass(frozen=True)
class Figures:
    """Medians in the row's unit; spreads are shares of the median; `effect` is ours over peer's."""

    ours: float
    peer: float
    spread_ours: float
    spread_peer: float
    rounds: int
    effect: Effect
    noisy: bool


def figures(ours: Sequence[float], peer: Sequence[float]) -> Figures:
    """Of values taken in pairs, one pair a round: ours and the peer's, in the same unit.

    The peer's own spread decides whether the run is noisy. The ratio is Hodges and Lehmann's over
    the rounds' own ratios, with its exact 95 % interval. A time below zero (the local run of that
    round was disturbed more than this one) counts as zero: the interval then says so by reaching 0
    or by having no end. Raises ValueError when the sides differ in length or are empty.
    """
    if len(ours) != len(peer) or not ours:
        raise ValueError("a ratio needs as many rounds of one side as of the other")
    rounds = list(range(len(ours)))
    effect = hodges_lehmann_ratio(
        [max(0.0, value) for value in peer],
        [max(0.0, value) for value in ours],
        (rounds, rounds),
    )
    spread_peer = relative_spread(peer)
    return Figures(
        median(ours),
        median(peer),
        relative_spread(ours),
        spread_peer,
        len(ours),
        effect,
        spread_peer > NOISY_SPREAD,
    )


def relative_spread(values: Sequence[float]) -> float:
    """The middle half's width as a share of the median; 0 for one value, infinite around zero."""
    if len(values) < 2:
        return 0.0
    low, _, high = quantiles(values, n=4, method="inclusive")
    middle = median(values)
    if middle <= 0:
        return 0.0 if low == high else float("inf")
    return (high - low) / middle


def reached(effect: Effect, aim: Aim | None) -> Reached:
    """Whether the whole interval is on the aim's side: "open" while the aim lies inside of it."""
    if aim is None:
        return "no aim"
    if effect.ratio is None or effect.low is None or effect.high is None:
        return "open"
    verdicts = {aim.met_by(effect.low), aim.met_by(effect.high)}
    if len(verdicts) == 2:
        return "open"
    return "yes" if verdicts == {True} else "no"


def minus(values: Sequence[float], base: Sequence[float]) -> list[float]:
    """Each round's value without that round's base."""
    return [value - other for value, other in zip(values, base, strict=True)]
