"""Even grid of irregular times, without interpolation.

An entry of one I/O is at its completion, an entry of a window at the window's end (HOWTO, "Log File
Formats"; the end of fio's windows varies by some milliseconds). A slot without an entry is unknown.
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
MIN_ENTRIES_PER_SLOT = 10  # I/Os
MIN_ALLOWED_SLOTS = 10_000  # slots that are allowed for any number of windows
STEPS = tuple(factor * 10**power for power in range(10) for factor in (1, 2, 5))  # ms
_SAMPLED_ENTRIES = 100_000  # entries used to determine the usual interval
EPOCH = 10**11  # ms: later times are dates (log_unix_epoch), not run times
Floats = NDArray[np.float64]


class Timed(Protocol):
    """Interface of a log of any kind: time in ms and direction of each entry."""

    @property
    def time(self) -> Integers:
        """Return the times in ms."""

    @property
    def direction(self) -> NDArray[Any]:
        """Return the directions: 0 read, 1 write, 2 trim."""

    @property
    def windows(self) -> bool:
        """Return True if entries are windows rather than single I/Os."""


@dataclass(frozen=True)
class Grid:
    """Grid of `slots` slots of `step` ms from `origin`, the log's time that counts as 0.

    `windows`: entries are averages over windows that end at their time.
    """

    step: int
    origin: int
    slots: int
    windows: bool

    def slots_of(self, times: Integers) -> Integers:
        """Return the slot of each entry; the caller drops entries after the last slot."""
        since = times - self.origin if self.origin else times
        if self.step == 1:
            return np.maximum(since - 1, 0) if self.windows else since
        if self.windows:
            return np.maximum((since + self.step // 2) // self.step - 1, 0)
        return since // self.step

    def series(self, metric: str, values: Floats) -> Series | None:
        """Return values by slot (NaN: unknown) as a series without unknown slots at both ends."""
        is_known = ~np.isnan(values)
        first, last = int(is_known.argmax()), is_known.size - 1 - int(is_known[::-1].argmax())
        if not is_known.size or not is_known[first]:
            return None
        trimmed = FloatValues(values[first : last + 1].astype(np.float32))
        return Series(metric, trimmed, start=first * self.step / 1000, interval=self.step / 1000)


def grid_of(logs: Sequence[Timed]) -> Grid:
    """Return a grid for all logs of one test, each with at least one entry.

    Its step is that of the windows, or the smallest with some I/Os per slot on average.
    """
    times = [log.time for log in logs]
    earliest = min(int(each.min()) for each in times)
    latest = max(int(each.max()) for each in times)
    windows = all(log.windows for log in logs)
    step = _window(logs) if windows else 1
    origin = earliest - (step if windows else 0) if earliest > EPOCH else 0
    entries = max(each.size for each in times)
    allowed = min(
        MAX_SLOTS,
        max(MIN_ALLOWED_SLOTS, 100 * entries) if windows else entries // MIN_ENTRIES_PER_SLOT + 1,
    )
    reach = latest - origin
    if reach // step + 1 > allowed:
        step = next((each for each in STEPS if each >= step and reach // each < allowed), reach + 1)
    return Grid(step, origin, reach // step + 2, windows)


def _window(logs: Sequence[Timed]) -> int:
    """Return the median interval of a direction's entries in ms, rounded to usual values."""
    heads = [(log.time[:_SAMPLED_ENTRIES], log.direction[:_SAMPLED_ENTRIES]) for log in logs]
    gaps = [
        gap
        for time, direction in heads
        for number in range(3)
        for gap in _gaps(time[direction == number])
    ]
    all_gaps = np.concatenate(gaps) if gaps else np.empty(0, np.int64)
    median = int(np.median(all_gaps)) if all_gaps.size else 1000
    for unit in (1000, 500, 250, 100, 50, 10):
        rounded = round(median / unit) * unit
        if rounded and abs(rounded - median) <= 0.03 * median:
            return rounded
    return max(1, median)


def _gaps(times: Integers) -> list[Integers]:
    between = np.diff(times)
    return [between[between > 0]] if between.size else []
