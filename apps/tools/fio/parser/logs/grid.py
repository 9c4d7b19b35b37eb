"""Irregular times -> an even grid, without inventing a value.

An entry of one I/O stands at its completion, an entry of a window at the window's end (HOWTO, "Log
File Formats"; fio's windows wander by some milliseconds). A place of the grid that no entry falls
on stays unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from apps.tools.fio.parser.bins.bins import Integers
from apps.tools.parse_result import Series
from apps.tools.series.arrays import FloatValues

MAX_SLOTS = 20_000_000
FEW = 10  # I/Os
SPARSE = 10_000  # so many places may be there for whatever few windows
STEPS = tuple(factor * 10**power for power in range(10) for factor in (1, 2, 5))  # ms
_ENOUGH = 100_000  # entries of a log tell how far apart they usually are
EPOCH = 10**11  # ms: later than this is a date (log_unix_epoch), not a run time
Floats = NDArray[np.float64]


class Timed(Protocol):
    """The interface of a log of any kind: the time in ms and the direction of each entry, and
    whether entries are of windows.
    """

    @property
    def time(self) -> Integers:
        """Milliseconds."""

    @property
    def direction(self) -> NDArray[Any]:
        """0 read, 1 write, 2 trim."""

    @property
    def windows(self) -> bool:
        """Whether an entry stands for a window rather than for one I/O."""


@dataclass(frozen=True)
class Grid:
    """Places of `step` ms from `origin` (the log's own time that counts as 0); `windows`: entries
    are averages of what ended at their time. `slots`: how many places there are.
    """

    step: int
    origin: int
    slots: int
    windows: bool

    def places(self, times: Integers) -> Integers:
        """The place of each entry; those behind the last place are the caller's to leave out."""
        since = times - self.origin if self.origin else times
        if self.step == 1:
            return np.maximum(since - 1, 0) if self.windows else since
        if self.windows:
            return np.maximum((since + self.step // 2) // self.step - 1, 0)
        return since // self.step

    def series(self, metric: str, values: Floats) -> Series | None:
        """Values by place (NaN: unknown) as a series without the unknown places at both ends."""
        known = ~np.isnan(values)
        first, last = int(known.argmax()), known.size - 1 - int(known[::-1].argmax())
        if not known.size or not known[first]:
            return None
        kept = FloatValues(values[first : last + 1].astype(np.float32))
        return Series(metric, kept, start=first * self.step / 1000, interval=self.step / 1000)


def grid_of(logs: Sequence[Timed]) -> Grid:
    """A grid for all logs of one test (each with one entry at least): the windows' own step, or the
    finest that has some I/Os in each place on average.
    """
    times = [log.time for log in logs]
    earliest = min(int(each.min()) for each in times)
    latest = max(int(each.max()) for each in times)
    windows = all(log.windows for log in logs)
    step = _window(logs) if windows else 1
    origin = earliest - (step if windows else 0) if earliest > EPOCH else 0
    entries = max(each.size for each in times)
    allowed = min(MAX_SLOTS, max(SPARSE, 100 * entries) if windows else entries // FEW + 1)
    reach = latest - origin
    if reach // step + 1 > allowed:
        step = next((each for each in STEPS if each >= step and reach // each < allowed), reach + 1)
    return Grid(step, origin, reach // step + 2, windows)


def _window(logs: Sequence[Timed]) -> int:
    """The usual time between two entries of a direction, in ms; people ask for round numbers."""
    heads = [(log.time[:_ENOUGH], log.direction[:_ENOUGH]) for log in logs]
    gaps = [gap for time, way in heads for number in range(3) for gap in _gaps(time[way == number])]
    known = np.concatenate(gaps) if gaps else np.empty(0, np.int64)
    usual = int(np.median(known)) if known.size else 1000
    for unit in (1000, 500, 250, 100, 50, 10):
        near = round(usual / unit) * unit
        if near and abs(near - usual) <= 0.03 * usual:
            return near
    return max(1, usual)


def _gaps(times: Integers) -> list[Integers]:
    between = np.diff(times)
    return [between[between > 0]] if between.size else []
