"""Cells and headings of result tables as text, in display units. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from apps.analysis.result import Column, Value
from apps.analysis.verdicts.verdict_text import chance, kind_text
from apps.common.domain.charts import Scale, scale_for
from apps.common.domain.preferences import timestamp_text
from apps.common.domain.units import significant, whole
from apps.common.domain.value_format import MISSING, format_change, format_metric, format_value
from apps.common.domain.verdicts import VerdictKind
from apps.tools.metrics import METRICS, NETWORK


def cell_text(column: Column, value: Value) -> str:
    """Return a cell with its own unit; a dash if empty."""
    if value is None or value == "":
        return MISSING
    if column.kind == "moment":
        return timestamp_text(datetime.fromisoformat(str(value)))
    if isinstance(value, str):
        return kind_text(VerdictKind(value)) if column.kind == "verdict" else value
    if column.kind == "metric" and not column.metric:
        return format_value(value, "ns")
    if column.kind == "metric":
        return format_metric(column.metric, value, network=column.unit == NETWORK)
    if column.kind == "ratio":
        return format_change(value)
    if column.kind == "chance":
        return chance(value)
    return _plain(column, value)


def _plain(column: Column, value: float) -> str:
    text = whole(value) if float(value).is_integer() else significant(value)
    return f"{text} {column.unit}".strip()


def scale_of(column: Column, values: Iterable[Value]) -> Scale:
    """Return one unit for a column, for its heading; changes are in percent."""
    numbers = [value for value in values if isinstance(value, int | float)]
    if column.kind == "metric":
        return scale_for(column.unit, numbers)
    return Scale(0.01, "%") if column.kind == "ratio" else Scale(1.0, column.unit)


def scaled(column: Column, scale: Scale, value: Value) -> Value:
    """Return a cell in the unit of its column's heading."""
    if not isinstance(value, int | float) or not column.is_number:
        return cell_text(column, value) if column.kind == "verdict" and value else value
    return scale.of([value - 1 if column.kind == "ratio" else value])[0]


def head_text(column: Column, scale: Scale | None = None) -> str:
    """Return a heading with its unit in brackets; without a scale the canonical one."""
    unit = scale.unit if scale else canonical_unit(column)
    return f"{column.title} ({unit})" if unit else column.title


def canonical_unit(column: Column) -> str:
    """Return the unit of stored values, for API and exports."""
    if column.kind == "metric" and column.metric:
        return METRICS[column.metric].unit
    return "ratio" if column.kind == "ratio" else column.unit
