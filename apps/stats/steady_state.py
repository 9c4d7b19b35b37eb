"""Steady state after SNIA's Solid State Storage Performance Test Specification 2.0.2 (2020), its
definition of "Steady State". Pure.

A device is steady over a window of five rounds when, of the tracked figure y,

- range: max(y) - min(y) is no more than 20 % of the average of y, and
- slope: the best linear fit (least squares) of y over the rounds rises or falls by no more than
  10 % of the average from the window's first round to its last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WINDOW_ROUNDS = 5
MAX_RANGE = 0.20
MAX_SLOPE = 0.10


@dataclass(frozen=True)
class MeasurementWindow:
    """A window of rounds: `first` is its first round, counted from 1; `slope` of the fit per round,
    which is at `fitted_first` in the first round.
    """

    first: int
    values: tuple[float, ...]
    average: float
    slope: float
    fitted_first: float

    @property
    def last(self) -> int:
        """Its last round."""
        return self.first + len(self.values) - 1

    @property
    def fitted_last(self) -> float:
        """The fit in the last round."""
        return self.fitted_first + self.slope * (len(self.values) - 1)

    @property
    def excursion(self) -> float:
        """The largest less the smallest value."""
        return max(self.values) - min(self.values)

    @property
    def slope_excursion(self) -> float:
        """The largest less the smallest value of the fit."""
        return abs(self.fitted_last - self.fitted_first)

    @property
    def range_allowed(self) -> float:
        """The largest excursion of a steady device."""
        return MAX_RANGE * self.average

    @property
    def slope_allowed(self) -> float:
        """The largest excursion of the fit of a steady device."""
        return MAX_SLOPE * self.average

    @property
    def range_holds(self) -> bool:
        """Whether the range rule holds."""
        return self.excursion <= self.range_allowed

    @property
    def slope_holds(self) -> bool:
        """Whether the slope rule holds."""
        return self.slope_excursion <= self.slope_allowed

    @property
    def is_steady(self) -> bool:
        """Whether both rules hold."""
        return self.range_holds and self.slope_holds


def window_of(values: Sequence[float | None], last: int | None = None) -> MeasurementWindow | None:
    """The window that ends with round `last` (the newest if None); None where there are fewer
    rounds, or one of them has no figure.
    """
    end = len(values) if last is None else last
    found = [value for value in values[max(0, end - WINDOW_ROUNDS) : end] if value is not None]
    if len(found) < WINDOW_ROUNDS:
        return None
    middle, average = (WINDOW_ROUNDS - 1) / 2, sum(found) / WINDOW_ROUNDS
    spread = sum((number - middle) ** 2 for number in range(WINDOW_ROUNDS))
    slope = sum((n - middle) * (value - average) for n, value in enumerate(found)) / spread
    return MeasurementWindow(
        end - WINDOW_ROUNDS + 1, tuple(found), average, slope, average - slope * middle
    )


def steady_window(tracks: Sequence[Sequence[float | None]]) -> int | None:
    """The first round after which every track is steady over the same window; None where there is
    none.
    """
    rounds = min(map(len, tracks), default=0)
    for last in range(WINDOW_ROUNDS, rounds + 1):
        windows = [window_of(track, last) for track in tracks]
        if all(window is not None and window.is_steady for window in windows):
            return last
    return None
