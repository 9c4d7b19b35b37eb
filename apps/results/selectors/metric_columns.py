"""Query expressions of metrics: columns, percentiles and series summaries."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, FloatField, Func, OuterRef, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from apps.results.models import Series
from apps.tools.metrics import COSTS, DEVICE, DISTURBANCE, HOSTS, METRICS


def metric_expressions(keys: Iterable[str]) -> dict[str, Combinable]:
    """Return expressions of the metrics without a column, for summaries of measurements."""
    result = {key: METRICS[key].percentile for key in keys if not METRICS[key].column}
    return {key: percentile_value(name) for key, name in result.items() if name is not None}


def metric_columns(keys: Iterable[str]) -> list[str]:
    """Return the metrics with a column."""
    return [key for key in keys if METRICS[key].column]


def percentile_value(name: str) -> Combinable:
    """Return the expression of a percentile by name; NULL if missing."""
    # Not a key transform: Django takes a key of digits ("90") for a place in an array.
    text = Func(F("measurement__percentiles"), Value(name), function="jsonb_extract_path_text")
    return Cast(text, FloatField())


def extent_value(key: str, attempt: str = "measurement__attempt") -> Combinable:
    """Return the expression of a series summary (one of OVER_TIME) for rows with an `operation`.

    Reads the tool's series of the operation, or the device or host with the largest value; NULL
    without a series. One index probe per row. `attempt`: the path to the attempt.
    """
    metric = METRICS[key]
    rows = Series.objects.filter(attempt=OuterRef(attempt), metric=metric.series)
    if key in COSTS:
        rows = rows.filter(source=Series.Source.COST)
    elif metric.series in DEVICE or metric.series in HOSTS:
        of_device = metric.series in DEVICE
        rows = rows.filter(source=Series.Source.DEVICE if of_device else Series.Source.HOST)
        rows = rows.order_by(F(metric.series_statistic).desc(nulls_last=True))
    else:
        of_cluster = metric.series in DISTURBANCE
        source = Series.Source.CLUSTER if of_cluster else Series.Source.TOOL
        rows = rows.filter(source=source, component="", subject=OuterRef("operation"))
    return Subquery(rows.values(metric.series_statistic)[:1], output_field=FloatField())


def window_value(series: str) -> Combinable:
    """Return the expression of the interval of the tool's series in seconds, for summaries."""
    rows = Series.objects.filter(
        attempt=OuterRef("measurement__attempt"),
        metric=series,
        source=Series.Source.TOOL,
        component="",
        subject=OuterRef("operation"),
    )
    return Subquery(rows.values("interval")[:1], output_field=FloatField())
