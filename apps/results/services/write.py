"""Write results: measurements with histograms, and series in chunks, with one COPY per table.

New rows keep the id and the creation time of the rows they replace, so that links stay valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.common.database.copying import keys_taken, rows_copy
from apps.common.schemas.storable import cleaned
from apps.results.domain.chunks import array_of, encode
from apps.results.domain.series_summary import stalled_seconds, summary_of, summary_of_windows
from apps.results.models import (
    Histogram,
    HistogramSeries,
    Measurement,
    Series,
    SeriesChunk,
)
from apps.results.selectors.members import members_named
from apps.results.services.buckets import packed_counts
from apps.results.services.summary_table import summaries_refresh
from apps.results.services.workloads import workloads_ensure
from apps.runs.models import Attempt
from apps.tools import parse_result
from apps.tools.messages import message
from apps.tools.metrics import COLUMNS, WINDOWED_SERIES, columns_of
from apps.tools.registry import param_with
from apps.tools.series.stalls import slowest_window
from apps.tools.series.stated import stated_series

_MEASUREMENT = (
    *(
        "id",
        "created_at",
        "workload_id",
        "attempt_id",
        "case_id",
        "operation",
        "component",
        "member_id",
    ),
    *COLUMNS,
    *("percentiles", "values", "valid", "invalid_reason", "parser_version", "format"),
)
_HISTOGRAM = ("measurement_id", "bins", "counts")
_OVER_TIME = ("measurement_id", "start", "interval", "length", "lows", "counts")
_SERIES = (
    *("id", "attempt_id", "run_id", "source", "component", "member_id", "subject", "metric"),
    *("start", "interval", "length", "value_count", "minimum", "mean", "maximum", "stddev"),
    "stalled",
)
_CHUNK = ("series_id", "index", "values", "tile_minima", "tile_maxima")
UniqueKey = tuple[Any, ...]
"""The unique part of a row beside its id."""
Columns = tuple[Any, ...]
"""A row's values in the order of its columns."""


@dataclass(frozen=True)
class NewResult:
    """Result of an attempt. `invalid_reason` excludes it from comparisons."""

    attempt: Attempt
    parsed: parse_result.Parsed
    parser_version: int
    invalid_reason: str = ""


@dataclass(frozen=True)
class NewSeries:
    """Series of an operation or device of an attempt. `component`: as in `Series`."""

    attempt: Attempt
    source: Series.Source
    subject: str
    found: parse_result.Series
    component: str = ""


@transaction.atomic
def results_write(results: Sequence[NewResult]) -> list[int]:
    """Replace the results of attempts; return the ids of the measurements in order."""
    pairs = [(result, row) for result in results for row in result.parsed.measurements]
    attempts = [result.attempt for result in results]
    runs = _lock(attempts)
    unique_keys = [
        (result.attempt.pk, cleaned(row.operation), cleaned(row.component)) for result, row in pairs
    ]
    before = _measurements_of(attempts)
    if before:
        Measurement.objects.filter(pk__in=[key for key, _day in before.values()]).delete()
    keys = _keys(
        Measurement, unique_keys, {unique_key: key for unique_key, (key, _day) in before.items()}
    )
    days = dict(before.values())
    members = _members([(result.attempt, row.component) for result, row in pairs])
    workloads = workloads_ensure([(result.attempt, row.operation) for result, row in pairs])
    now = timezone.now()
    rows_copy(
        Measurement,
        _MEASUREMENT,
        (
            (key, days.get(key, now), workload, *_measured(*pair, member))
            for key, workload, pair, member in zip(keys, workloads, pairs, members, strict=True)
        ),
    )
    _histograms_write(keys, [row.histogram for _result, row in pairs])
    _over_time_write(keys, [row.over_time for _result, row in pairs])
    series = [
        NewSeries(result.attempt, Series.Source.TOOL, row.operation, each, row.component)
        for result, row in pairs
        for each in (
            *row.series,
            *stated_series(row, param_with(result.parsed.tool, "jobs")),
        )
    ]
    _series_replace(runs, Series.Source.TOOL, series)
    summaries_refresh(result.attempt.case_id for result in results)
    return keys


@transaction.atomic
def series_replace(
    attempts: Sequence[Attempt], source: Series.Source, new: Sequence[NewSeries]
) -> None:
    """Replace the series of a source of attempts."""
    _series_replace(_lock(attempts), source, new)


def _series_replace(
    runs: Mapping[UUID, int], source: Series.Source, new: Sequence[NewSeries]
) -> None:
    before = _series_of(runs, [source])
    _series_put(new, runs, before, gone=list(before.values()))


@transaction.atomic
def series_write(new: Sequence[NewSeries]) -> None:
    """Store series; each replaces the same series only."""
    runs = _lock([each.attempt for each in new])
    before = _series_of(runs, sorted({each.source for each in new}))
    gone = [before[_own(each)] for each in new if _own(each) in before]
    _series_put(new, runs, before, gone=gone)


def _lock(attempts: Sequence[Attempt]) -> dict[UUID, int]:
    """Lock attempts until the transaction ends; return the run of each."""
    rows = Attempt.objects.filter(pk__in={attempt.pk for attempt in attempts}).order_by("pk")
    locked = rows.select_for_update(no_key=True, of=("self",))
    return dict(locked.values_list("pk", "case__run"))


def _measurements_of(attempts: Sequence[Attempt]) -> dict[UniqueKey, tuple[int, datetime]]:
    rows = Measurement.objects.filter(attempt__in=attempts).order_by()
    result = rows.values_list("attempt_id", "operation", "component", "pk", "created_at")
    return {tuple(unique_key): (key, day) for *unique_key, key, day in result}


def _series_of(attempts: Iterable[UUID], sources: Sequence[str]) -> dict[UniqueKey, int]:
    rows = Series.objects.filter(attempt__in=list(attempts), source__in=sources).order_by()
    result = rows.values_list("attempt_id", "source", "component", "subject", "metric", "pk")
    return {tuple(unique_key): key for *unique_key, key in result}


def _own(new: NewSeries) -> UniqueKey:
    return new.attempt.pk, new.source, new.component, new.subject, new.found.metric


def _series_put(
    new: Sequence[NewSeries],
    runs: Mapping[UUID, int],
    before: Mapping[UniqueKey, int],
    *,
    gone: Sequence[int],
) -> None:
    if gone:
        Series.objects.filter(pk__in=gone).delete()
    keys = _keys(Series, [_own(each) for each in new], before)
    members = _members([(each.attempt, _place(each)) for each in new])
    rows = zip(keys, new, members, strict=True)
    rows_copy(Series, _SERIES, [_series(*row, runs) for row in rows])
    rows_copy(SeriesChunk, _CHUNK, _chunks(keys, new))


def _keys(
    model: type[Measurement | Series],
    unique_keys: Sequence[UniqueKey],
    before: Mapping[UniqueKey, int],
) -> list[int]:
    """Return the id of each row: that of the row it replaces, else a new one."""
    new = iter(keys_taken(model, sum(unique_key not in before for unique_key in unique_keys)))
    return [before[unique_key] if unique_key in before else next(new) for unique_key in unique_keys]


def _members(components: Sequence[tuple[Attempt, str]]) -> list[int | None]:
    """Return the member of each component, None for whole results. At most one query."""
    known = members_named({attempt for attempt, component in components if component})
    return [
        known.get(attempt.pk, {}).get(component) if component else None
        for attempt, component in components
    ]


def _place(new: NewSeries) -> str:
    """Return the name of a series' component: for a device with its own name."""
    device = new.source == Series.Source.DEVICE
    return f"{new.component} {new.subject}".strip() if device else new.component


def _chunks(keys: Iterable[int], new: Iterable[NewSeries]) -> Iterator[tuple[object, ...]]:
    """Encode one series at a time to bound memory."""
    for key, each in zip(keys, new, strict=True):
        for chunk in encode(each.found.values):
            yield key, chunk.index, chunk.values, chunk.tile_minima, chunk.tile_maxima


def _histograms_write(keys: Sequence[int], result: Sequence[parse_result.Histogram | None]) -> None:
    full = [
        (key, each.bins, each.counts)
        for key, each in zip(keys, result, strict=True)
        if each is not None and each.bins
    ]
    rows_copy(Histogram, _HISTOGRAM, full)


def _over_time_write(
    keys: Sequence[int], result: Sequence[parse_result.HistogramSeries | None]
) -> None:
    rows = [
        (key, each.start, each.interval, len(each.counts), each.lows, packed_counts(each.counts))
        for key, each in zip(keys, result, strict=True)
        if each is not None
    ]
    rows_copy(HistogramSeries, _OVER_TIME, rows)


def _measured(result: NewResult, row: parse_result.Measurement, member: int | None) -> Columns:
    """Return the values of `_MEASUREMENT`; impossible values are left out and invalidate it."""
    figures, percentiles = columns_of(row), row.latency.percentiles
    bad = [name for name, value in {**percentiles, **figures}.items() if not _is_possible(value)]
    reason = result.invalid_reason or (impossible_figures(bad) if bad else "")
    return (
        *(result.attempt.pk, result.attempt.case_id),
        *(cleaned(row.operation), cleaned(row.component), member),
        *(value if _is_possible(value) else None for value in figures.values()),
        {name: value for name, value in percentiles.items() if _is_possible(value)},
        {
            name: value
            for name, value in (row.values | slowest_window(row)).items()
            if not isinstance(value, float) or isfinite(value)
        },
        *(not reason, reason),
        *(result.parser_version, result.parsed.format),
    )


def _is_possible(figure: float | None) -> bool:
    """Return True for a finite, non-negative value or None."""
    return figure is None or (isfinite(figure) and figure >= 0)


def impossible_figures(names: Iterable[str]) -> str:
    """Return the reason for the invalid measurement."""
    return message(
        "the output has figures that are negative or not finite: %(names)s",
        names=", ".join(sorted(set(names))),
    )


def _series(key: int, new: NewSeries, member: int | None, runs: Mapping[UUID, int]) -> Columns:
    """Return the values of `_SERIES`."""
    result = new.found
    return (
        *(key, new.attempt.pk, runs[new.attempt.pk], new.source, new.component, member),
        *(new.subject, result.metric),
        *(result.start, result.interval, len(result.values)),
        *(
            summary_of(array_of(result.values))
            if result.windows is None
            else summary_of_windows(result.windows)
        ),
        _stalled(new),
    )


def _stalled(new: NewSeries) -> float | None:
    if new.source != Series.Source.TOOL or new.found.metric not in WINDOWED_SERIES:
        return None
    return stalled_seconds(array_of(new.found.values), new.found.interval)
