"""Figures of a disturbance: those of the clients by phase, and the times and bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from apps.common.domain.charts import pick_evenly
from apps.plans.schemas.disturbance import STOPPING
from apps.results.domain.disturbance_log import (
    CLEAN,
    DISTURBED,
    RESTORED,
    RETURNED,
    DisturbanceLog,
    Phase,
    moved_bytes,
    phases_of,
)
from apps.results.schemas.disturbance import DisturbanceDocument, PhaseFigures
from apps.tools.parse_result import HistogramSeries, Measurement, Series
from apps.tools.series.histograms import upper_edges

MAX_POINTS = 2_000
P99 = 0.99
WINDOWS = "windows"  # entry of the values of a log of windows


@dataclass(frozen=True)
class ClientSeries:
    """IOPS of the load over time; `histograms` of its latency, if the tool has them."""

    values: NDArray[np.float64]
    start: float = 0.0
    interval: float = 1.0
    histograms: tuple[HistogramSeries, ...] = ()

    @property
    def end(self) -> float:
        return self.start + len(self.values) * self.interval


def client_series(measurements: Sequence[Measurement]) -> ClientSeries | None:
    """Return the sum of the operations' IOPS; None if an operation has no such series.

    An operation that ends before the others did nothing any more; the last interval may be cut.
    """
    pairs = [(one, _iops(one)) for one in measurements]
    known = [(one, series) for one, series in pairs if series is not None]
    if not known or len(known) < len(pairs):
        return None
    interval = known[0][1].interval
    if any(series.interval != interval for _one, series in known):
        return None
    begin = min(series.start for _one, series in known)
    rows = [
        (round((series.start - begin) / interval), _filled(series, _is_stalling(one)))
        for one, series in known
    ]
    ends = [offset + len(values) for offset, values in rows]
    total = np.zeros(max(ends))
    for offset, values in rows:
        total[offset : offset + len(values)] += values
    if min(ends) < len(total):
        total = total[:-1]
    histograms = tuple(one.over_time for one in measurements if one.over_time is not None)
    whole = len(histograms) == len(measurements)
    return ClientSeries(total, begin, interval, histograms if whole else ())


def _is_stalling(one: Measurement) -> bool:
    """Return True if an interval without a value had no operation: fio logs no empty window."""
    return WINDOWS in one.values


def _filled(series: Series, is_stalling: bool) -> NDArray[np.float64]:
    """Return the values without gaps between them.

    A gap is a stall, or the tool printed late: then its next value is the mean over the gap.
    """
    values = np.asarray([np.nan if v is None else v for v in series.values], dtype=float)
    present = np.flatnonzero(~np.isnan(values))
    for before, after in pairwise(present.tolist()):
        values[before + 1 : after] = 0.0 if is_stalling else values[after]
    return values


def _iops(one: Measurement) -> Series | None:
    return next((series for series in one.series if series.metric == "iops"), None)


def document_of(
    log: DisturbanceLog, kind: str, text: str, client: ClientSeries, expected: float | None
) -> DisturbanceDocument:
    """Return the stored record. `expected`: the least IOPS of the load, None without one."""
    phases = phases_of(log, kind, client.end)
    seconds, degraded, misplaced, recovery = _cluster_series(log)
    values, interval = _thinned(client)
    disturbed = log.marks.get(DISTURBED)
    after = None if disturbed is None else _between(client, disturbed, client.end)
    return DisturbanceDocument(
        kind=kind,
        text=text,
        marks=log.marks,
        reason=log.reason,
        is_unseen=log.is_unseen,
        is_readded=log.is_readded,
        load_end=client.end,
        phases=tuple(_figures(client, one) for one in phases),
        time_to_clean=_span(log, RESTORED if kind in STOPPING else DISTURBED, CLEAN),
        time_to_return=_span(log, RESTORED, RETURNED),
        recovered_bytes=moved_bytes(log),
        worst_iops=_lowest(after),
        below_seconds=_below(after, client.interval, expected),
        checks=tuple(sorted({check for one in log.samples for check in one.checks}))[:20],
        seconds=seconds,
        degraded=degraded,
        misplaced=misplaced,
        recovery=recovery,
        iops=values,
        iops_start=client.start,
        iops_interval=interval,
    )


def _span(log: DisturbanceLog, first: str, last: str) -> float | None:
    marks = log.marks
    return marks[last] - marks[first] if first in marks and last in marks else None


def _between(client: ClientSeries, start: float, end: float) -> NDArray[np.float64]:
    """Return the intervals whose middle lies in this time, without missing ones."""
    middles = client.start + (np.arange(len(client.values)) + 0.5) * client.interval
    inside = client.values[(middles >= start) & (middles < end)]
    return inside[~np.isnan(inside)]


def _figures(client: ClientSeries, phase: Phase) -> PhaseFigures:
    values = _between(client, phase.start, phase.end)
    iops = float(values.mean()) if len(values) else None
    return PhaseFigures(phase.name, phase.start, phase.end, iops, _p99(client, phase))


def _p99(client: ClientSeries, phase: Phase) -> float | None:
    """Return the 99th percentile of the added histograms: the upper edge of its bucket."""
    counts: dict[int, int] = {}
    for one in client.histograms:
        for index, row in enumerate(one.counts):
            middle = one.start + (index + 0.5) * one.interval
            if phase.start <= middle < phase.end:
                for low, count in zip(one.lows, row, strict=True):
                    counts[low] = counts.get(low, 0) + int(count)
    total = sum(counts.values())
    if not total:
        return None
    lows = np.array(sorted(counts), np.int64)
    seen = np.cumsum([counts[int(low)] for low in lows])
    bucket = int(np.searchsorted(seen, P99 * total))
    # Not the next bucket with a count: between two of them there may be seconds.
    return float(upper_edges(lows)[bucket])


def _lowest(values: NDArray[np.float64] | None) -> float | None:
    return float(values.min()) if values is not None and len(values) else None


def _below(
    values: NDArray[np.float64] | None, interval: float, expected: float | None
) -> float | None:
    if values is None or expected is None:
        return None
    return float((values < expected).sum() * interval)


def _cluster_series(
    log: DisturbanceLog,
) -> tuple[tuple[float, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    chosen = pick_evenly(log.samples, MAX_POINTS)
    return (
        tuple(one.t for one in chosen),
        tuple(one.degraded for one in chosen),
        tuple(one.misplaced for one in chosen),
        tuple(one.recovery for one in chosen),
    )


def _thinned(client: ClientSeries) -> tuple[tuple[float | None, ...], float]:
    """Return at most MAX_POINTS values: means of as many intervals each as needed."""
    width = -(-len(client.values) // MAX_POINTS) or 1
    rows = [client.values[at : at + width] for at in range(0, len(client.values), width)]
    means = (None if np.isnan(row).all() else float(np.nanmean(row)) for row in rows)
    return tuple(means), client.interval * width
