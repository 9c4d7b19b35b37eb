"""Rates of change points that are found, and of those seen where nothing changed, in made-up
series of runs: `bin/bench history`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from apps.stats.change_points import change_points

Floats = npt.NDArray[np.float64]
NEAR = 5
"""A change counts as found where one is named at most so many runs from it."""
FIRST_LOOK = 8


@dataclass(frozen=True)
class Year:
    """Medians of `runs` runs; the logarithms' noise has the deviation `sd`, of `noise` "normal" or
    "heavy tails" (t with three degrees of freedom) or "two modes" (three of ten runs four
    deviations higher).
    """

    runs: int = 104
    sd: float = 0.03
    noise: str = "normal"

    def made(self, rng: np.random.Generator, effect: float = 1.0, at: int = 0) -> Floats:
        """The medians of a year, from the place `at` on `effect` times as large."""
        if self.noise == "normal":
            logs = rng.normal(0, self.sd, self.runs)
        elif self.noise == "two modes":
            logs = self.sd * (rng.normal(0, 0.3, self.runs) + 4 * (rng.random(self.runs) < 0.3))
        else:
            logs = rng.standard_t(3, self.runs) * self.sd / np.sqrt(3)
        logs[at:] += log(effect)
        values: Floats = np.exp(logs)
        return values


def found(year: Year, effect: float, years: int, seed: int) -> float:
    """The share of years whose one change, in their middle two thirds, is found near its place."""
    rng = np.random.default_rng(seed)
    number = 0
    for _each in range(years):
        at = int(rng.integers(year.runs // 6, year.runs - year.runs // 6))
        places = change_points(year.made(rng, effect, at).tolist())
        number += any(abs(place - at) <= NEAR for place in places)
    return number / years


def noticed(year: Year, effect: float, later: int, years: int, seed: int) -> float:
    """The share of years that end `later` runs after a change in which it is named by then."""
    rng = np.random.default_rng(seed)
    at = year.runs - later
    named = (change_points(year.made(rng, effect, at).tolist()) for _each in range(years))
    return sum(any(abs(place - at) <= NEAR for place in places) for places in named) / years


def false_alarms(year: Year, years: int, seed: int, *, every_look: bool = False) -> float:
    """The share of years without a change in which one is named: at the end, or at any look when
    somebody looks after each run."""
    rng = np.random.default_rng(seed)
    looks = range(FIRST_LOOK, year.runs + 1) if every_look else (year.runs,)
    number = 0
    for _each in range(years):
        values = year.made(rng).tolist()
        number += any(change_points(values[:look]) for look in looks)
    return number / years


def false_marks(year: Year, years: int, seed: int) -> float:
    """Changes named in 100 runs without one, by somebody who looks after each run. A change that is
    named at places less than NEAR runs apart is one.
    """
    rng = np.random.default_rng(seed)
    marks = 0
    for _each in range(years):
        values, named = year.made(rng).tolist(), list[int]()
        for look in range(FIRST_LOOK, year.runs + 1):
            new = change_points(values[:look])
            named += [at for at in new if all(abs(at - other) > NEAR for other in named)]
        marks += len(named)
    return 100 * marks / (years * year.runs)
