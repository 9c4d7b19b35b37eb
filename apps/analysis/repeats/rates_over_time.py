"""Queries of the tools' rates over time: seconds without progress, deviation between windows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from apps.results.models import Measurement, Series
from apps.tools.metrics import STALLED

_SERIES = "attempt__series__"
_COLUMNS = ("stalled", "length", "interval", "value_count", "mean", "stddev")


@dataclass(frozen=True)
class RateOverTime:
    """Bandwidth over one test.

    `stalled`: seconds without progress, None if unknown. `seconds`: length of all windows;
    `interval`: of one. `windows`: number of windows with a value. `deviation`: standard deviation
    of these as a share of their mean, None without.
    """

    stalled: float | None
    seconds: float
    interval: float
    windows: int
    deviation: float | None


def stalled_measurements(runs: Sequence[int]) -> set[int]:
    """Return the measurements of these runs (ids) that had seconds without progress."""
    rows = Series.objects.filter(
        run__in=runs,
        stalled__gt=0,
        metric=STALLED.series,
        component="",
        attempt__measurements__operation=F("subject"),
        attempt__measurements__component="",
    ).order_by()
    return set(rows.values_list("attempt__measurements", flat=True))


def rates_over_time(measurements: Collection[int]) -> dict[int, RateOverTime]:
    """Return the bandwidth over time of those measurements (ids) that have it."""
    rows = Measurement.objects.filter(
        pk__in=measurements,
        attempt__series__source=Series.Source.TOOL,
        attempt__series__metric=STALLED.series,
        attempt__series__component="",
        attempt__series__subject=F("operation"),
    ).order_by()
    return {row[0]: _rate(*row[1:]) for row in _values(rows)}


def _values(rows: QuerySet[Measurement]) -> QuerySet[Measurement, Any]:
    return rows.values_list("pk", *(f"{_SERIES}{name}" for name in _COLUMNS))


def _rate(
    stalled: float | None, length: int, interval: float, windows: int | None,
    mean: float | None, stddev: float | None,
) -> RateOverTime:  # fmt: skip
    deviation = stddev / mean if mean and stddev is not None else None
    return RateOverTime(stalled, length * interval, interval, windows or 0, deviation)
