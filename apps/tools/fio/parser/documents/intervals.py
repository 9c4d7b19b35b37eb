"""Intervals between consecutive status documents.

fio's status documents are cumulative (axboe/fio, HOWTO "status-interval"), so an interval is the
difference of two. At the end of a ramp time fio resets its counts; earlier documents are not part
of the measurement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.tools.fio.parser.bins.bins import EMPTY, Bins, added, grown, percentiles
from apps.tools.fio.parser.direction import Part
from apps.tools.histogram import bin_top
from apps.tools.metrics import SAMPLED
from apps.tools.parse_result import HistogramSeries, Series
from apps.tools.series.histograms import Counted, coarse, histogram_series

MAX_SLOTS = 100_000
METRICS = ("bandwidth", "iops", "latency_mean", *SAMPLED.values(), "latency_max")


@dataclass(frozen=True)
class Snapshot:
    """Cumulative figures of one operation at `clock` (wall time in seconds, None if unknown)."""

    clock: float | None = None
    runtime: float = 0.0
    operations: int = 0
    transferred: int = 0
    latency_sum: float = 0.0
    timed: int = 0
    shortest: float | None = None
    longest: float | None = None
    bins: Bins = EMPTY


@dataclass(frozen=True)
class Interval:
    """Difference of two snapshots, `seconds` long: metric -> value.

    `counted`: operations by coarse latency buckets, None if unknown.
    """

    clock: float | None
    seconds: float
    figures: Mapping[str, float]
    counted: Counted | None = None


def snapshot(parts: Sequence[Part], clock: float | None) -> Snapshot:
    """Return the combined figures of the jobs."""
    return Snapshot(
        clock=clock,
        runtime=max(part.runtime for part in parts),
        operations=sum(part.operations for part in parts),
        transferred=sum(part.transferred for part in parts),
        latency_sum=sum((part.total.latency.mean or 0.0) * _timed(part) for part in parts),
        timed=sum(_timed(part) for part in parts),
        shortest=min((part.total.latency.min or 0.0 for part in parts), default=None),
        longest=max((part.total.latency.max or 0.0 for part in parts), default=None),
        bins=added([part.bins for part in parts]),
    )


def _timed(part: Part) -> int:
    """Return the operations with a latency; before 3.x fio does not print them: all."""
    return part.total.operations or part.operations


def restarted(before: Snapshot, after: Snapshot) -> bool:
    """Return True if fio reset its counts: sums shrank, or the extremes moved inwards."""
    if after.operations < before.operations or after.runtime < before.runtime:
        return True
    if before.shortest is not None and (after.shortest or 0.0) > before.shortest:
        return True
    if before.longest is not None and (after.longest or 0.0) < before.longest:
        return True
    return grown(before.bins, after.bins) is None


def difference(before: Snapshot, after: Snapshot) -> Interval:
    """Return rates and latencies between two snapshots of the same count.

    Syncs move no bytes and have no bandwidth.
    """
    seconds = after.runtime - before.runtime
    operations = after.operations - before.operations
    figures: dict[str, float] = {}
    if seconds > 0 and (after.transferred or not after.operations):
        figures["bandwidth"] = (after.transferred - before.transferred) / seconds
    if seconds > 0:
        figures["iops"] = operations / seconds
    timed = after.timed - before.timed
    if timed > 0:
        figures["latency_mean"] = max(0.0, after.latency_sum - before.latency_sum) / timed
    more = grown(before.bins, after.bins)
    if more:
        values = percentiles(more, SAMPLED)
        figures |= {SAMPLED[name]: value for name, value in values.items()}
        figures |= _longest(before, after, more)
    counted = coarse(more.values, more.counts) if more else None
    return Interval(after.clock, seconds, figures, counted)


def _longest(before: Snapshot, after: Snapshot, more: Bins) -> dict[str, float]:
    """Return the longest latency between two snapshots.

    It is exact if it is the longest so far, else the upper end of the highest bin with a count.
    """
    counted = more.values[more.counts > 0]
    if after.longest and after.longest > (before.longest or 0.0):
        return {"latency_max": after.longest}
    if not counted.size:
        return {}
    bound = float(bin_top(int(counted[-1])))
    return {"latency_max": min(bound, after.longest) if after.longest else bound}


@dataclass
class Track:
    """One operation of one group through all documents: last snapshot and intervals."""

    last: Snapshot = field(default_factory=Snapshot)
    intervals: list[Interval] = field(default_factory=list)
    restarts: int = 0

    def add(self, now: Snapshot) -> Interval:
        """Add the next document and return the interval it completes."""
        before = self.last
        if restarted(before, now):
            before, self.intervals = Snapshot(clock=before.clock), []
            self.restarts += 1
        self.last = now
        interval = difference(before, now)
        if len(self.intervals) < MAX_SLOTS:
            self.intervals.append(interval)
        return interval


def as_series(intervals: Sequence[Interval], origin: float | None, step: float) -> list[Series]:
    """Return the intervals on an even grid of `step` seconds that starts at `origin` (wall time).

    fio's interval varies by some milliseconds, so each value is assigned to the nearest slot. A
    last interval shorter than half a step is omitted, because it does not represent a step.
    """
    whole, slots = _with_slots(intervals, origin, step)
    if not slots:
        return []
    first, last = slots[0], slots[-1]
    result = []
    for metric in METRICS:
        values: list[float | None] = [None] * (last - first + 1)
        for slot, interval in zip(slots, whole, strict=True):
            values[slot - first] = interval.figures.get(metric)
        if any(value is not None for value in values):
            result.append(Series(metric, tuple(values), start=first * step, interval=step))
    return result


def as_histograms(
    intervals: Sequence[Interval], origin: float | None, step: float
) -> HistogramSeries | None:
    """Return the intervals' latencies on the same grid; None if unknown."""
    whole, slots = _with_slots(intervals, origin, step)
    with_counts = [
        (slot, each.counted)
        for slot, each in zip(slots, whole, strict=True)
        if each.counted is not None
    ]
    return histogram_series(
        [slot for slot, _counts in with_counts], [counts for _slot, counts in with_counts], step
    )


def _with_slots(
    intervals: Sequence[Interval], origin: float | None, step: float
) -> tuple[list[Interval], list[int]]:
    """Return the intervals that fill at least half a step, and their slots.

    Returns none if they are too few or too far apart.
    """
    whole = [interval for interval in intervals if interval.seconds >= step / 2]
    if len(whole) < 2 or step <= 0:
        return [], []
    slots = _slots(whole, origin, step)
    return (whole, slots) if slots[-1] - slots[0] < MAX_SLOTS else ([], [])


def _slots(intervals: Sequence[Interval], origin: float | None, step: float) -> list[int]:
    """Return the slot of each interval on the grid, strictly increasing."""
    slots: list[int] = []
    elapsed = 0.0
    for interval in intervals:
        elapsed += interval.seconds
        end = elapsed
        if interval.clock is not None and origin is not None:
            end = interval.clock - origin
        slot = max(0, round(end / step) - 1)
        slots.append(max(slot, slots[-1] + 1) if slots else slot)
    return slots
