"""The slowest windows of tests, with what devices and hosts did at that moment. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MAX_WINDOWS = 10
"""Windows that are listed."""
SLOWNESS_METRICS = ("latency_max", "latency_mean")
"""Metrics by which windows are slow: the first that a test has."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WindowLine:
    """A metric of an operation or a device over time: `ends` of intervals in s, and values."""

    subject: str
    metric: str
    interval: float
    ends: Floats
    values: Floats

    def most(self, start: float, end: float) -> float | None:
        """The largest value of the intervals that overlap these seconds."""
        inside = (self.ends > start + _TOUCH) & (self.ends - self.interval < end - _TOUCH)
        known = self.values[inside]
        known = known[np.isfinite(known)]
        return float(known.max()) if known.size else None


@dataclass(frozen=True)
class DrawnWindows:
    """A test's lines: the tool's, by operation, and those of devices and hosts."""

    name: str
    case: int
    tool: Sequence[WindowLine]
    around: Sequence[WindowLine]


@dataclass(frozen=True)
class SlowWindow:
    """A slow window. `usual`: the median of the metric over the whole test; `device_values`: by
    metric the maximum of all devices and hosts in it, and the name of that one.
    """

    test: str
    case: int
    operation: str
    metric: str
    start: float
    end: float
    latency: float
    usual: float
    iops: float | None
    device_values: Mapping[str, tuple[float, str]] = field(default_factory=dict)

    @property
    def times(self) -> float | None:
        """Its latency as a multiple of the usual one."""
        return self.latency / self.usual if self.usual > 0 else None


_TOUCH = 1e-6


def slowest(tests: Sequence[DrawnWindows], most: int = MAX_WINDOWS) -> list[SlowWindow]:
    """The windows with the largest latency, slowest first. Of windows that adjoin, which one stall
    makes, the slowest one stands for all.
    """
    found = [one for test in tests for one in _of_test(test, most)]
    return sorted(found, key=lambda one: -one.latency)[:most]


def _of_test(test: DrawnWindows, most: int) -> list[SlowWindow]:
    operations = list(dict.fromkeys(line.subject for line in test.tool))
    found = []
    for operation in operations:
        own = {line.metric: line for line in test.tool if line.subject == operation}
        line = next((own[metric] for metric in SLOWNESS_METRICS if metric in own), None)
        if line is not None and line.values.size > 1:
            found += [_window(test, line, own.get("iops"), place) for place in _peaks(line, most)]
    return found


def _peaks(line: WindowLine, most: int) -> list[int]:
    """Places of the largest values, none beside another; all there are, where they are few."""
    order = np.argsort(-np.nan_to_num(line.values, nan=-np.inf), kind="stable")
    picked: list[int] = []
    for place in order.tolist():
        if len(picked) == most or not np.isfinite(line.values[place]):
            break
        if all(abs(place - other) > 1 for other in picked):
            picked.append(place)
    return picked


def _window(
    test: DrawnWindows, line: WindowLine, rate: WindowLine | None, place: int
) -> SlowWindow:
    end = float(line.ends[place])
    start = end - line.interval
    return SlowWindow(
        test=test.name,
        case=test.case,
        operation=line.subject,
        metric=line.metric,
        start=start,
        end=end,
        latency=float(line.values[place]),
        usual=float(np.nanmedian(line.values)),
        iops=rate.most(start, end) if rate else None,
        device_values=_around(test.around, start, end),
    )


def _around(lines: Sequence[WindowLine], start: float, end: float) -> dict[str, tuple[float, str]]:
    found: dict[str, tuple[float, str]] = {}
    for line in lines:
        value = line.most(start, end)
        if value is not None and value > found.get(line.metric, (-np.inf, ""))[0]:
            found[line.metric] = (value, line.subject)
    return found
