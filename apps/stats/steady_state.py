"""Steady state by SNIA's Solid State Storage Performance Test Specification 2.0.2 (2020).

A device is steady over a window of five rounds if, for the tracked metric y,

- range: max(y) - min(y) is at most 20 % of the average of y, and
- slope: the linear fit (least squares) of y over the rounds changes by at most 10 % of the average
  from the window's first round to its last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WINDOW_ROUNDS = 5
MAX_RANGE = 0.20
MAX_SLOPE = 0.10


@dataclass(frozen=True)
class MeasurementWindow:
    """Measurement window of rounds.

    - `first`: its first round, from 1.
    - `slope`: of the fit, per round.
    - `fitted_first`: value of the fit in the first round.
    """

    first: int
    values: tuple[float, ...]
    average: float
    slope: float
    fitted_first: float

    @property
    def last(self) -> int:
        """Return the last round."""
        return self.first + len(self.values) - 1

    @property
    def fitted_last(self) -> float:
        """Return the fit in the last round."""
        return self.fitted_first + self.slope * (len(self.values) - 1)

    @property
    def excursion(self) -> float:
        """Return the difference of the largest and the smallest value."""
        return max(self.values) - min(self.values)

    @property
    def slope_excursion(self) -> float:
        """Return the difference of the largest and the smallest value of the fit."""
        return abs(self.fitted_last - self.fitted_first)

    @property
    def range_allowed(self) -> float:
        """Return the largest excursion of a steady device."""
        return MAX_RANGE * self.average

    @property
    def slope_allowed(self) -> float:
        """Return the largest excursion of the fit of a steady device."""
        return MAX_SLOPE * self.average

    @property
    def range_holds(self) -> bool:
        """Return True if the range rule is met."""
        return self.excursion <= self.range_allowed

    @property
    def slope_holds(self) -> bool:
        """Return True if the slope rule is met."""
        return self.slope_excursion <= self.slope_allowed

    @property
    def is_steady(self) -> bool:
        """Return True if both rules are met."""
        return self.range_holds and self.slope_holds


def window_of(values: Sequence[float | None], last: int | None = None) -> MeasurementWindow | None:
    """Return the window that ends with round `last` (the newest if None).

    None with fewer rounds, or if one of them has no value.
    """
    end = len(values) if last is None else last
    window = [value for value in values[max(0, end - WINDOW_ROUNDS) : end] if value is not None]
    if len(window) < WINDOW_ROUNDS:
        return None
    centre, average = (WINDOW_ROUNDS - 1) / 2, sum(window) / WINDOW_ROUNDS
    spread = sum((number - centre) ** 2 for number in range(WINDOW_ROUNDS))
    slope = sum((n - centre) * (value - average) for n, value in enumerate(window)) / spread
    return MeasurementWindow(
        end - WINDOW_ROUNDS + 1, tuple(window), average, slope, average - slope * centre
    )


def steady_window(tracks: Sequence[Sequence[float | None]]) -> int | None:
    """Return the first round at which every track is steady over the same window, else None."""
    rounds = min(map(len, tracks), default=0)
    for last in range(WINDOW_ROUNDS, rounds + 1):
        windows = [window_of(track, last) for track in tracks]
        if all(window is not None and window.is_steady for window in windows):
            return last
    return None
