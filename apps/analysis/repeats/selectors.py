"""Queries of repeats: one query reads them as arrays, few more the rows that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.analysis.queries.filters import narrowed
from apps.analysis.queries.selection import EVERYTHING, Selection
from apps.analysis.repeats.conditions import SharedConditions, conditions_of
from apps.analysis.repeats.interim import interim_analyses
from apps.analysis.repeats.related_rows import MAX_REPEATS, RelatedRows, related_rows
from apps.analysis.repeats.repeats import Floats, Ints, Repeats, WorkloadPoint
from apps.common.database.columns import arrays_of, column, figures, rows_with_arrays
from apps.common.errors import ServiceError
from apps.plans.models import Workload
from apps.results.models import ResultSummary
from apps.results.selectors.metric_columns import extent_value, metric_expressions, window_value
from apps.results.selectors.results import comparable_summaries
from apps.tools.background import with_absent
from apps.tools.metrics import (
    COMPARISON_METRICS,
    METRICS,
    OVER_TIME,
    TABLE_METRICS,
    WINDOWED,
    WINDOWED_SERIES,
)

_SHARED = (
    "run_id", "run_target_id", "run_tuning_id", "facts_id", "tool_version", "parser_version",
    "imported", "operation",
)  # fmt: skip
_COLUMNS = ("measurement_id", "workload_id", "measured_at", "block", "has_measured_time")


def repeats_of(
    runs: Sequence[int],
    series_metrics: Sequence[str] = (),
    within: Selection = EVERYTHING,
    related: RelatedRows | None = None,
) -> Repeats:
    """Return every valid result of these runs within a selection, in the order of measurement.

    Series metrics are read if they are in `series_metrics`. `related`: of these runs, if known.
    Raises: ServiceError (400) for more than MAX_REPEATS results.
    """
    related = related or related_rows(runs)
    rows = narrowed(comparable_summaries().filter(run_id__in=runs).order_by(), within)
    if related.too_many and rows[MAX_REPEATS : MAX_REPEATS + 1].exists():
        message = _("These runs have more than {limit:,} results. Choose fewer runs.")
        message = message.format(limit=MAX_REPEATS)
        raise ServiceError(message, {"run": message}, status=400)
    read = tuple(
        metric
        for metric in COMPARISON_METRICS
        if metric in TABLE_METRICS or metric in series_metrics
    )
    if within.is_empty:
        sql, params = _whole_runs_sql(read)
        result = arrays_of(sql, [list(runs) if each is _Runs else each for each in params])
    else:
        result = rows_with_arrays(_columns(rows, read))
    return replace(
        _join_groups(result, read),
        looks=interim_analyses(runs) if related.stages else (),
        baseline_tunings=related.baseline_tunings,
    )


class _Runs:
    """Placeholder of the runs in a statement's parameters."""


# Django takes longer to build this statement than PostgreSQL to run it for a small run.
@cache
def _whole_runs_sql(read: tuple[str, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return SQL of all results of whole runs, and its parameters with _Runs as placeholder."""
    rows = comparable_summaries().order_by()
    mine = rows.extra(where=["results_resultsummary.run_id = ANY (%s)"], params=[_Runs])
    return _columns(mine, read).query.sql_with_params()


def _columns(rows: QuerySet[ResultSummary], read: Sequence[str]) -> QuerySet[Any, Any]:
    """Return a row per group of results with shared conditions.

    The other columns are arrays.
    """
    rows = rows.annotate(**{key: extent_value(key) for key in read if key in OVER_TIME})
    windows = {f"window_{series}": window_value(series) for series in _windowed_series(read)}
    rows = rows.annotate(**windows)
    arrays = [_array(metric) for metric in read]
    return rows.values_list(*_SHARED).annotate(
        **{f"all_{name}": column(name) for name in _COLUMNS},
        **dict(zip((f"all_{metric}" for metric in read), arrays, strict=True)),
        **{f"all_{name}": figures(name) for name in windows},
    )


def _windowed_series(read: Sequence[str]) -> list[str]:
    """Return the series whose interval lengths the metrics need."""
    wanted = {METRICS[metric].series for metric in read if metric in WINDOWED}
    return [series for series in WINDOWED_SERIES if series in wanted]


def _array(metric: str) -> ArrayAgg:
    without_column = metric_expressions([metric])
    return figures(without_column.get(metric, metric))


def _join_groups(result: list[tuple[Any, ...]], read: Sequence[str]) -> Repeats:
    """Return groups of repeats as one table, sorted by time."""
    groups = [SharedConditions(*row[: len(_SHARED)]) for row in result]
    arrays = [row[len(_SHARED) :] for row in result]
    sizes = [len(columns[0]) for columns in arrays]
    measurement, workload, at, block, timed, *metrics = (
        (np.concatenate(parts) for parts in zip(*arrays, strict=True))
        if arrays
        else (np.empty(0, np.int64) for _ in (*_COLUMNS, *read, *_windowed_series(read)))
    )
    order = np.lexsort((measurement, at))
    of_group = np.repeat(np.arange(len(groups)), sizes)[order]
    run = _expand([group.run for group in groups], of_group)
    shared, conditions = _codes(list(map(id, unique := conditions_of(groups))), of_group)
    operations, operation = _codes([group.operation for group in groups], of_group)
    workloads, point = np.unique(workload[order], return_inverse=True)
    by_id = {id(one): one for one in unique}
    return Repeats(
        measurement=measurement[order],
        run=run,
        at=at[order],
        block=np.where(block[order] > 0, (run << 32) + block[order], 0),
        operation=operation,
        point=point,
        conditions=conditions,
        timed=timed[order].astype(bool),
        values=_metric_matrix(metrics[: len(read)], order, read, COMPARISON_METRICS),
        windows=_metric_matrix(
            metrics[len(read) :], order, _windowed_series(read), WINDOWED_SERIES
        ),
        operations=tuple(operations),
        points=_points(workloads.tolist()),
        shared=tuple(by_id[key] for key in shared),
    )


def _metric_matrix(
    metrics: Sequence[Any], order: Ints, read: Sequence[str], every: Sequence[str]
) -> Floats:
    """Return a column per name of `every`, NaN for unread and infinite values."""
    wide = np.full((len(every), len(order)), np.nan)
    for metric, values in zip(read, metrics, strict=True):
        ordered = values[order]
        wide[every.index(metric)] = np.where(np.isfinite(ordered), ordered, np.nan)
    return wide.T


def _expand(of_groups: list[int], of_group: Ints) -> Ints:
    result: Ints = np.array(of_groups, dtype=np.int64)[of_group]
    return result


def _codes(of_groups: list[Any], of_group: Ints) -> tuple[list[Any], Ints]:
    """Return the distinct values, and each row's index among them."""
    indices = {one: index for index, one in enumerate(dict.fromkeys(of_groups))}
    return list(indices), _expand([indices[one] for one in of_groups], of_group)


def _points(ids: list[int]) -> tuple[WorkloadPoint, ...]:
    rows = Workload.objects.filter(pk__in=ids).order_by()
    columns = rows.values_list("pk", "key", "tool", "params", "label")
    rows_by_id = {row[0]: row for row in columns}
    params = with_absent([rows_by_id[pk][3] for pk in ids])
    return tuple(
        WorkloadPoint(pk, rows_by_id[pk][1], rows_by_id[pk][2], own, rows_by_id[pk][4])
        for pk, own in zip(ids, params, strict=True)
    )
