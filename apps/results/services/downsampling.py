"""Downsample series to fewer, longer intervals some months after their run.

Measurements, histograms and series summaries do not change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from apps.common.domain.months import months_before
from apps.common.services import Due, RetentionRule
from apps.results.domain.chunks import FLOAT, decode, encode
from apps.results.models import Series, SeriesChunk
from apps.runs.models import FINAL_RUN
from apps.runs.services.versions import runs_touch
from apps.tools.metrics import METRICS

MAX_VALUES = 1_000
"""Values of a thinned series at most: more than a chart is wide."""
EXTREMES = {"latency_max": np.fmax, "latency_min": np.fmin}
"""Metrics of which an interval keeps the most or the least; of the others it keeps the mean."""
NOT_JOINED = {"latency_stddev", *(m.key for m in METRICS.values() if m.percentile is not None)}
"""Metrics whose values over several intervals cannot be had from theirs: they stay whole."""


@dataclass(frozen=True)
class DownsampleReport:
    """Number of series, and bytes of samples that are or would be deleted."""

    series: int = 0
    size: int = 0


def due() -> DownsampleReport:
    """Return what the rule would downsample now."""
    sizes = [(length - _length(length)) * FLOAT.itemsize for _pk, length in _rows()]
    return DownsampleReport(len(sizes), sum(sizes))


def series_downsample() -> DownsampleReport:
    """Downsample due series one by one; it may be interrupted."""
    done = DownsampleReport()
    for pk, _length_before in list(_rows()):
        done = DownsampleReport(done.series + 1, done.size + _downsample(pk))
    return done


def _rows() -> Iterator[tuple[int, int]]:
    """Yield (id, length) of due series."""
    if not settings.DOWNSAMPLE_AFTER_MONTHS:
        return
    then = months_before(timezone.now(), settings.DOWNSAMPLE_AFTER_MONTHS)
    yield from (
        _long()
        .filter(
            Q(attempt__case__run__finished_at__lt=then),
            Q(attempt__case__run__queued_at__lt=then),  # an import's files may tell of years ago
            attempt__case__run__state__in=FINAL_RUN,
        )
        .order_by("pk")
        .values_list("pk", "length")
    )


def _long() -> QuerySet[Series]:
    rows = Series.objects.filter(downsampled_at__isnull=True, length__gt=MAX_VALUES)
    return rows.exclude(metric__in=NOT_JOINED)


@transaction.atomic
def _downsample(pk: int) -> int:
    """Downsample a series; return deleted bytes, 0 if it changed meanwhile."""
    series = _long().select_for_update().filter(pk=pk).first()
    if series is None:
        return 0
    rows = series.chunks.order_by("index")
    values = decode([bytes(row) for row in rows.values_list("values", flat=True)])
    fewer = downsampled(values, series.metric)
    series.interval *= _step(series.length)
    series.length, series.downsampled_at = len(fewer), timezone.now()
    series.save(update_fields=["interval", "length", "downsampled_at"])
    rows.delete()
    SeriesChunk.objects.bulk_create(
        SeriesChunk(
            series=series,
            index=chunk.index,
            values=chunk.values,
            tile_minima=chunk.tile_minima,
            tile_maxima=chunk.tile_maxima,
        )
        for chunk in encode(fewer)
    )
    runs_touch([series.run_id])
    return (len(values) - len(fewer)) * FLOAT.itemsize


def downsampled(values: NDArray[np.float32], metric: str) -> NDArray[np.float32]:
    """Return at most MAX_VALUES samples: mean (float64), maximum or minimum of equal groups.

    NaN for groups without a value.
    """
    step = _step(len(values))
    padded = np.pad(values, (0, -len(values) % step), constant_values=np.nan)
    groups = padded.astype(np.float64).reshape(-1, step)
    if metric in EXTREMES:
        most: NDArray[np.float64] = EXTREMES[metric].reduce(groups, axis=1)
        return most.astype(FLOAT)
    known = np.isfinite(groups)
    count = known.sum(axis=1)
    total = np.where(known, groups, 0.0).sum(axis=1)
    mean: NDArray[np.float64] = np.full(len(groups), np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean.astype(FLOAT)


def _step(length: int) -> int:
    return -(-length // MAX_VALUES)


def _length(length: int) -> int:
    return -(-length // _step(length))


def _retention(report: DownsampleReport) -> Due:
    size = f"{report.size / 1e6:.1f} MB of values become free" if report.series else ""
    return Due(report.series, size)


RETENTION = [
    RetentionRule(
        model=Series,
        period="with its run; downsampled once after the setting's months",
        task="results.retention",
        setting="BENCHLAB_DOWNSAMPLE_AFTER_MONTHS",
        due=lambda: _retention(due()),
        apply=lambda: _retention(series_downsample()),
    )
]
