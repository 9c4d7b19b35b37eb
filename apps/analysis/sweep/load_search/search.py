"""The search for the largest load at which what a step expects still holds. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.plans.domain.bisection import MOST_POINTS, between
from apps.plans.schemas.expectations import Expectation
from apps.runs.models import Case


@dataclass(frozen=True)
class FailedExpectation:
    """An expectation that a load does not keep; `middle`: the median in its unit."""

    expected: Expectation
    middle: float


@dataclass(frozen=True)
class Load:
    """One value that was measured. `missed` is None where every repeat failed; `cases`: keys of
    those that measured it.
    """

    value: int
    repeats: int
    missed: tuple[FailedExpectation, ...] | None
    cases: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        return self.missed == ()


@dataclass
class Search:
    """The loads of one test on one target under one tuning; `like`: a case of it."""

    like: Case
    expected: tuple[Expectation, ...]
    loads: list[Load] = field(default_factory=list)

    @property
    def largest(self) -> Load | None:
        """The largest load that holds, below the first that does not."""
        first = self.first_missed
        below = [one for one in self.loads if one.holds and (not first or one.value < first.value)]
        return max(below, key=lambda load: load.value, default=None)

    @property
    def first_missed(self) -> Load | None:
        missed = [load for load in self.loads if not load.holds]
        return min(missed, key=lambda load: load.value, default=None)

    @property
    def between(self) -> int | None:
        """The value between the largest that holds and the smallest that does not; None where they
        are close, or one of them is not known.
        """
        low, high = self.largest, self.first_missed
        return None if low is None or high is None else between(low.value, high.value)

    @property
    def is_open(self) -> bool:
        """Whether the largest load is known less well than a search finds it."""
        return self.between is not None

    def next(self) -> int | None:
        """The value to measure next; None where the search has ended."""
        return None if len(self.loads) >= MOST_POINTS else self.between
