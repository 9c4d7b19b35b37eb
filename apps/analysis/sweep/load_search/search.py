"""Bisection for the largest load that meets the expectations of a step. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.plans.domain.bisection import MAX_POINTS, between
from apps.plans.schemas.expectations import Expectation
from apps.runs.models import Case


@dataclass(frozen=True)
class FailedExpectation:
    """Expectation that a load fails; `median`: the median in its unit."""

    expected: Expectation
    median: float


@dataclass(frozen=True)
class Load:
    """Measured value; `missed` is None if every repeat failed; `cases`: keys of its cases."""

    value: int
    repeats: int
    missed: tuple[FailedExpectation, ...] | None
    cases: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        return self.missed == ()


@dataclass
class Search:
    """Loads of one test on one target under one tuning; `like`: one of its cases."""

    like: Case
    expected: tuple[Expectation, ...]
    loads: list[Load] = field(default_factory=list)

    @property
    def largest(self) -> Load | None:
        """Return the largest load that meets the expectations, below the first that fails."""
        first = self.first_missed
        below = [one for one in self.loads if one.holds and (not first or one.value < first.value)]
        return max(below, key=lambda load: load.value, default=None)

    @property
    def first_missed(self) -> Load | None:
        missed = [load for load in self.loads if not load.holds]
        return min(missed, key=lambda load: load.value, default=None)

    @property
    def between(self) -> int | None:
        """Return the value between the largest met and the smallest failed load.

        None if they are adjacent or one of them is unknown.
        """
        low, high = self.largest, self.first_missed
        return None if low is None or high is None else between(low.value, high.value)

    @property
    def is_open(self) -> bool:
        """Return True if the largest load is not known precisely enough."""
        return self.between is not None

    def next(self) -> int | None:
        """Return the value to measure next; None if the search has ended."""
        return None if len(self.loads) >= MAX_POINTS else self.between
