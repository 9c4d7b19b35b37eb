"""Results that an output tells twice: fio asked for `--output-format=json,normal` prints the same
jobs in both. They are one result, no repeats of each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from apps.tools.parse_result import Measurement

# Shares by which what two formats print of one figure may differ. fio's text has two decimals of a
# mean or deviation, which it tells in ms from 1 ms on, and whole us or ms of the longest one.
_ROUNDED = 0.006
_LONGEST_ROUNDED = 0.02
_MILLISECOND = 0.0015
_SPREAD = ("mean", "stddev")


def duplicate_count(found: Sequence[Measurement], elsewhere: Sequence[Measurement]) -> int:
    """The number of measurements that stand among the others, each of which counts once."""
    left = list(elsewhere)
    count = 0
    for each in found:
        place = next((i for i, other in enumerate(left) if same_result(each, other)), None)
        if place is not None:
            del left[place]
            count += 1
    return count


def same_result(one: Measurement, other: Measurement) -> bool:
    """Whether two formats tell the same operation of the same call: the same job, the same number
    of operations (of bytes where that is not known) in the same time, and alike in all else.
    """
    if _name(one) != _name(other):
        return False
    runs = _both(one, other, "runtime")
    if runs and abs(runs[0] - runs[1]) > _MILLISECOND:
        return False
    counts = _both(one, other, "total_ios")
    if counts and counts[0] != counts[1]:
        return False
    pairs = [(one.bandwidth, other.bandwidth), (one.iops, other.iops)]
    pairs += [(getattr(one.latency, name), getattr(other.latency, name)) for name in _SPREAD]
    known = [(a, b) for a, b in pairs if a and b]
    most, other_most = one.latency.max, other.latency.max
    alike = not (most and other_most) or math.isclose(most, other_most, rel_tol=_LONGEST_ROUNDED)
    return alike and len(known) > 1 and all(math.isclose(a, b, rel_tol=_ROUNDED) for a, b in known)


def detail(found: Sequence[Measurement]) -> int:
    """The detail that the measurements tell: it says which of two formats is the richer one."""
    return sum(
        len(each.params) + len(each.values) + len(each.series) + len(each.latency.percentiles)
        + (len(each.histogram.bins) if each.histogram else 0)
        for each in found
    )  # fmt: skip


def _name(found: Measurement) -> tuple[str, str, str, int | None]:
    return (found.operation, found.part, found.job, found.group)


def _both(one: Measurement, other: Measurement, name: str) -> tuple[float, float] | None:
    first, second = one.values.get(name), other.values.get(name)
    if isinstance(first, (int, float)) and isinstance(second, (int, float)):
        return first, second
    return None
