"""Expressions by which queries read the metrics of measurements: most have a column; a percentile
without one is in the document of all percentiles that the tool gave.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, FloatField, Func, OuterRef, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from apps.results.models import Series
from apps.tools.metrics import DEVICE, HOSTS, METRICS


def metric_expressions(
    keys: Iterable[str], percentiles: str = "percentiles"
) -> dict[str, Combinable]:
    """Those of these metrics that have no column, for `values(*columns, **expressions)`;
    `percentiles`: the way from the query's rows to a measurement's percentiles.
    """
    found = {key: METRICS[key].percentile for key in keys if not METRICS[key].column}
    return {
        key: percentile_value(name, percentiles) for key, name in found.items() if name is not None
    }


def metric_columns(keys: Iterable[str]) -> list[str]:
    """Those of these metrics that have a column of their own."""
    return [key for key in keys if METRICS[key].column]


def percentile_value(name: str, percentiles: str = "percentiles") -> Combinable:
    """One of the percentiles that a measurement keeps, by its name; NULL where it has none."""
    # Not a key transform: Django takes a key of digits ("90") for a place in an array.
    text = Func(F(percentiles), Value(name), function="jsonb_extract_path_text")
    return Cast(text, FloatField())


def extent_value(key: str, attempt: str = "measurement__attempt") -> Combinable:
    """A figure over time (one of OVER_TIME) of rows that have an `operation`: of the tool's series
    of that operation, or of the device under the test, or the host, that has most of it; NULL where
    there is none. One probe of an index for each row. `attempt`: the way from the rows to their
    attempt.
    """
    metric = METRICS[key]
    rows = Series.objects.filter(attempt=OuterRef(attempt), metric=metric.series)
    if metric.series in DEVICE or metric.series in HOSTS:
        of_device = metric.series in DEVICE
        rows = rows.filter(source=Series.Source.DEVICE if of_device else Series.Source.HOST)
        rows = rows.order_by(F(metric.extent).desc(nulls_last=True))
    else:
        rows = rows.filter(source=Series.Source.TOOL, part="", subject=OuterRef("operation"))
    return Subquery(rows.values(metric.extent)[:1], output_field=FloatField())


def window_value(series: str, attempt: str = "measurement__attempt") -> Combinable:
    """The length of the intervals of the tool's series of one metric, in seconds, of rows that have
    an `operation`. `attempt`: the way from the rows to their attempt.
    """
    rows = Series.objects.filter(
        attempt=OuterRef(attempt),
        metric=series,
        source=Series.Source.TOOL,
        part="",
        subject=OuterRef("operation"),
    )
    return Subquery(rows.values("interval")[:1], output_field=FloatField())
