"""Export of measurements, page by page: memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Case, FloatField, QuerySet, When
from django.db.models.expressions import Combinable

from apps.common.api.columnar import ExportField, Rows
from apps.results.models import Measurement
from apps.results.selectors.metric_columns import extent_value
from apps.tools.metrics import COLUMNS, METRICS

AT_ONCE = 5_000
_ABOUT: tuple[tuple[ExportField, str], ...] = (
    (ExportField("run", "integer"), "case__run_id"),
    (ExportField("case", "integer"), "case_id"),
    (ExportField("attempt"), "attempt_id"),
    (ExportField("tool"), "workload__tool"),
    (ExportField("workload"), "workload__key"),
    (ExportField("label"), "workload__label"),
    (ExportField("target"), "case__run_target__name"),
    (ExportField("tuning"), "case__run_tuning__name"),
    (ExportField("background"), "case__background__label"),
    (ExportField("repeat", "integer"), "case__repeat"),
    (ExportField("operation"), "operation"),
    (ExportField("component"), "component"),
    (ExportField("valid", "flag"), "valid"),
    (ExportField("stored_at", "moment"), "created_at"),
)
FIELDS = (
    ExportField("id", "integer"),
    *(field for field, _name in _ABOUT),
    *(ExportField(key, "number", METRICS[key].unit) for key in COLUMNS),
)
MAXIMA = ("iops_max_over_time", "bandwidth_max_over_time")
"""Maxima over the windows of a test, exported on request: one index lookup per row each."""
MAXIMA_FIELDS = tuple(ExportField(key, "number", METRICS[key].unit) for key in MAXIMA)
_NAMES = ("pk", *(name for _field, name in _ABOUT), *COLUMNS)
_ATTEMPT = _NAMES.index("attempt_id")


def exported(rows: QuerySet[Measurement], *, maxima: bool = False) -> Iterator[Rows]:
    """Yield all rows, newest first, in the order of FIELDS.

    `maxima`: MAXIMA_FIELDS follow; they are those of whole measurements, never of components.
    """
    names = _NAMES
    if maxima:
        rows = rows.annotate(**{key: _maximum(key) for key in MAXIMA})
        names = (*_NAMES, *MAXIMA)
    last: int | None = None
    while True:
        page = rows if last is None else rows.filter(pk__lt=last)
        result = list(page.order_by("-pk").values_list(*names)[:AT_ONCE])
        if result:
            yield [
                [str(cell) if column == _ATTEMPT else cell for column, cell in enumerate(row)]
                for row in result
            ]
        if len(result) < AT_ONCE:
            return
        last = result[-1][0]


def _maximum(key: str) -> Combinable:
    whole = When(component="", then=extent_value(key, "attempt"))
    return Case(whole, output_field=FloatField())
