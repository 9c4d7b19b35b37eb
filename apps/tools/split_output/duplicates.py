"""Results that an output has twice, in two formats.

`fio --output-format=json,normal` prints the same jobs in both formats: one result, not two repeats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from apps.tools.parse_result import Measurement

# Relative tolerances between two formats. fio's text rounds means and deviations to two decimals,
# in ms from 1 ms on, and the maximum to whole us or ms.
_TOLERANCE = 0.006
_MAX_TOLERANCE = 0.02
_RUNTIME_TOLERANCE_SECONDS = 0.0015
_SPREAD = ("mean", "stddev")


def duplicate_count(measurements: Sequence[Measurement], elsewhere: Sequence[Measurement]) -> int:
    """Return the number of measurements that have a duplicate among the others.

    Each of the others matches once.
    """
    remaining = list(elsewhere)
    count = 0
    for each in measurements:
        index = next((i for i, other in enumerate(remaining) if same_result(each, other)), None)
        if index is not None:
            del remaining[index]
            count += 1
    return count


def same_result(one: Measurement, other: Measurement) -> bool:
    """Return True if two formats describe the same operation of the same call.

    Job and run time are equal, and the number of operations (bytes if unknown); all else is equal
    within the tolerances.
    """
    if _name(one) != _name(other):
        return False
    runs = _both(one, other, "runtime")
    if runs and abs(runs[0] - runs[1]) > _RUNTIME_TOLERANCE_SECONDS:
        return False
    counts = _both(one, other, "total_ios")
    if counts and counts[0] != counts[1]:
        return False
    pairs = [(one.bandwidth, other.bandwidth), (one.iops, other.iops)]
    pairs += [(getattr(one.latency, name), getattr(other.latency, name)) for name in _SPREAD]
    present = [(a, b) for a, b in pairs if a and b]
    maximum, other_maximum = one.latency.max, other.latency.max
    is_similar = not (maximum and other_maximum) or math.isclose(
        maximum, other_maximum, rel_tol=_MAX_TOLERANCE
    )
    return (
        is_similar
        and len(present) > 1
        and all(math.isclose(a, b, rel_tol=_TOLERANCE) for a, b in present)
    )


def detail(measurements: Sequence[Measurement]) -> int:
    """Return a score of the detail of the measurements, to choose the richer of two formats."""
    return sum(
        len(each.params) + len(each.values) + len(each.series) + len(each.latency.percentiles)
        + (len(each.histogram.bins) if each.histogram else 0)
        for each in measurements
    )  # fmt: skip


def _name(measurement: Measurement) -> tuple[str, str, str, int | None]:
    return (measurement.operation, measurement.component, measurement.job, measurement.group)


def _both(one: Measurement, other: Measurement, name: str) -> tuple[float, float] | None:
    first, second = one.values.get(name), other.values.get(name)
    if isinstance(first, (int, float)) and isinstance(second, (int, float)):
        return first, second
    return None
