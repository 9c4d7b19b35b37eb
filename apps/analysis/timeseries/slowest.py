"""Slowest windows of tests, with device and host metrics of the same seconds. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MAX_WINDOWS = 10
"""Limit of listed windows."""
SLOWNESS_METRICS = ("latency_max", "latency_mean")
"""Metrics of slowness: the first that a test has."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WindowLine:
    """Metric of an operation or a device over time: `ends` of intervals in s, and values."""

    subject: str
    metric: str
    interval: float
    ends: Floats
    values: Floats

    def maximum(self, start: float, end: float) -> float | None:
        """Return the maximum of the intervals that overlap these seconds."""
        inside = (self.ends > start + _TOUCH) & (self.ends - self.interval < end - _TOUCH)
        finite = self.values[inside]
        finite = finite[np.isfinite(finite)]
        return float(finite.max()) if finite.size else None


@dataclass(frozen=True)
class DrawnWindows:
    """Series of a test: the tool's, by operation, and those of devices and hosts."""

    name: str
    case: int
    tool: Sequence[WindowLine]
    around: Sequence[WindowLine]


@dataclass(frozen=True)
class SlowWindow:
    """Slow window.

    `median`: of the metric over the whole test; `device_values`: by metric the maximum of all
    devices and hosts, and its device.
    """

    test: str
    case: int
    operation: str
    metric: str
    start: float
    end: float
    latency: float
    median: float
    iops: float | None
    device_values: Mapping[str, tuple[float, str]] = field(default_factory=dict)

    @property
    def times(self) -> float | None:
        """Return the latency as a multiple of the median."""
        return self.latency / self.median if self.median > 0 else None


_TOUCH = 1e-6


def slowest(tests: Sequence[DrawnWindows], limit: int = MAX_WINDOWS) -> list[SlowWindow]:
    """Return the windows with the largest latency, slowest first.

    Of adjacent windows, which one stall causes, only the slowest is listed.
    """
    result = [one for test in tests for one in _slow_windows(test, limit)]
    return sorted(result, key=lambda one: -one.latency)[:limit]


def _slow_windows(test: DrawnWindows, limit: int) -> list[SlowWindow]:
    operations = list(dict.fromkeys(line.subject for line in test.tool))
    result = []
    for operation in operations:
        own = {line.metric: line for line in test.tool if line.subject == operation}
        line = next((own[metric] for metric in SLOWNESS_METRICS if metric in own), None)
        if line is not None and line.values.size > 1:
            result += [
                _window(test, line, own.get("iops"), index) for index in _peak_indices(line, limit)
            ]
    return result


def _peak_indices(line: WindowLine, limit: int) -> list[int]:
    """Return indices of the largest values, none adjacent to another."""
    order = np.argsort(-np.nan_to_num(line.values, nan=-np.inf), kind="stable")
    picked: list[int] = []
    for index in order.tolist():
        if len(picked) == limit or not np.isfinite(line.values[index]):
            break
        if all(abs(index - other) > 1 for other in picked):
            picked.append(index)
    return picked


def _window(
    test: DrawnWindows, line: WindowLine, rate: WindowLine | None, index: int
) -> SlowWindow:
    end = float(line.ends[index])
    start = end - line.interval
    return SlowWindow(
        test=test.name,
        case=test.case,
        operation=line.subject,
        metric=line.metric,
        start=start,
        end=end,
        latency=float(line.values[index]),
        median=float(np.nanmedian(line.values)),
        iops=rate.maximum(start, end) if rate else None,
        device_values=_device_maxima(test.around, start, end),
    )


def _device_maxima(
    lines: Sequence[WindowLine], start: float, end: float
) -> dict[str, tuple[float, str]]:
    result: dict[str, tuple[float, str]] = {}
    for line in lines:
        value = line.maximum(start, end)
        if value is not None and value > result.get(line.metric, (-np.inf, ""))[0]:
            result[line.metric] = (value, line.subject)
    return result
