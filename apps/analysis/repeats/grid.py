"""Results of a run over two parameters: the table of iozone's automatic mode, or of any sweep.

A cell is the median of its valid repeats; percentiles and latencies of repeats are never averaged.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from apps.analysis.queries.filters import narrowed
from apps.analysis.queries.selection import EVERYTHING, Selection
from apps.inventory.models import HostFacts
from apps.results.models import Series
from apps.results.selectors.metric_columns import extent_value, metric_columns, metric_expressions
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Run
from apps.tools.background import with_absent
from apps.tools.fields import Role
from apps.tools.metrics import METRICS, OVER_TIME, TABLE_METRICS, in_order
from apps.tools.param_values import format_size
from apps.tools.registry import is_from_page_cache, role_of, tool
from apps.tools.values import Parameters
from apps.tools.workloads.order import operation_key, param_key
from apps.tools.workloads.varying import axes, differing, varying

# Order of the default axes: across, then down.
AXIS_ORDER: tuple[Role | None, ...] = ("block", "depth", "jobs", "size", "time", "operation", None)
OPERATION = "operation"
"""Axis of operations, which a result has besides its parameters."""
MAX_AXIS_VALUES = 64
_SHARED = ("workload__tool", "workload__params", "run_tuning__name", "run_target__name")


@dataclass(frozen=True)
class Result:
    """Comparable result: workload, conditions and metric values.

    `is_cached`: known to come from the page cache (`registry.is_from_page_cache`).
    """

    case: int
    tool: str
    operation: str
    params: Parameters
    tuning: str
    target: str
    values: Mapping[str, float | None]
    is_cached: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Choice:
    """Choices of a table; `fixed`: values of the other parameters that vary.

    `operation` is empty if the operation is an axis.
    """

    x: str
    y: str
    operation: str
    metric: str
    tuning: str
    target: str
    fixed: tuple[tuple[str, str], ...] = ()

    @property
    def has_operation_axis(self) -> bool:
        return OPERATION in (self.x, self.y)


@dataclass(frozen=True)
class Cell:
    """Repeats at one position: median and range in the metric's unit, and a case.

    `is_cached`: every repeat is known to come from the page cache.
    """

    median: float
    least: float
    most: float
    repeats: int
    case: int
    is_cached: bool = False


@dataclass(frozen=True)
class Grid:
    """Cells by (x, y); numbers ascending, other values in their tool's order."""

    choice: Choice
    xs: tuple[Any, ...]
    ys: tuple[Any, ...]
    cells: Mapping[tuple[Any, Any], Cell] = field(default_factory=dict)

    def rows(self) -> list[tuple[Any, list[Cell | None]]]:
        """Return the rows: the y value, then a cell or None for each x."""
        return [(y, [self.cells.get((x, y)) for x in self.xs]) for y in self.ys]


def over_time_in(*runs: Run) -> list[str]:
    """Return the series metrics that these runs may have."""
    rows = Series.objects.filter(attempt__case__run__in=runs).order_by()
    metrics = set(rows.values_list("metric", flat=True).distinct())
    return [key for key in OVER_TIME if METRICS[key].series in metrics]


def run_results(*runs: Run, metric: str = "", within: Selection = EVERYTHING) -> list[Result]:
    """Return every comparable result of these runs `within` a selection.

    Of series metrics only the named one is read, as it costs an index lookup per row.
    """
    series_metrics = (metric,) if metric in OVER_TIME else ()
    result = narrowed(comparable_summaries().filter(run__in=runs), within)
    result = result.order_by("run", "case__sequence", "operation")
    columns = result.values(
        *("case_id", "operation", "facts_id", *_SHARED, *metric_columns(TABLE_METRICS)),
        **metric_expressions(TABLE_METRICS),
        **{key: extent_value(key) for key in series_metrics},
    )
    rows = list(columns)
    memory = _memory_of(rows)
    params = with_absent([row["workload__params"] for row in rows])
    return [
        Result(
            case=row["case_id"],
            tool=row["workload__tool"],
            operation=row["operation"],
            params=own,
            tuning=row["run_tuning__name"],
            target=row["run_target__name"],
            values={key: row[key] for key in (*TABLE_METRICS, *series_metrics)},
            is_cached=is_from_page_cache(
                row["workload__tool"],
                row["operation"],
                row["workload__params"],
                memory.get(row["facts_id"]),
            ),
        )
        for row, own in zip(rows, params, strict=True)
    ]


def _memory_of(rows: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """Return the bytes of memory by host facts, of results whose operation may be cached."""
    ids = {
        row["facts_id"]
        for row in rows
        if row["facts_id"] and row["operation"] in tool(row["workload__tool"]).warm_operations
    }
    if not ids:
        return {}
    result = HostFacts.objects.filter(pk__in=ids)
    return {one.pk: one.known.memory for one in result if one.known.memory is not None}


def axes_of(results: Iterable[Result]) -> list[str]:
    """Return parameters with numbers that differ between otherwise equal results.

    The usual axes are first.
    """
    rows = list(results)
    points = (((r.tool, r.operation, r.target, r.tuning), r.params) for r in rows)
    matches = [name for name, one in axes(points).items() if len(one.numbers) <= MAX_AXIS_VALUES]
    tools = {result.tool for result in rows}
    return sorted(matches, key=lambda name: (_axis_order(tools, name), name))


def table_axes_of(results: Iterable[Result]) -> list[str]:
    """Return the axes of a table: those with numbers, choices and flags, then OPERATION.

    Empty without an axis of numbers.
    """
    rows = list(results)
    numbers = axes_of(rows)
    if not numbers:
        return []
    points = [((r.tool, r.operation, r.target, r.tuning), r.params) for r in rows]
    others = [
        name
        for name, one in varying(points).items()
        if name != OPERATION and not one.numbers and len(one.values) <= MAX_AXIS_VALUES
    ]
    operations = (((r.tool, r.target, r.tuning), r.params | {OPERATION: r.operation}) for r in rows)
    last = [OPERATION] if OPERATION in varying(operations) else []
    return [*numbers, *sorted(others), *last]


def others_of(results: Iterable[Result], axes: Iterable[str]) -> list[str]:
    """Return the parameters besides the axes in which results differ.

    With operations as an axis: in which results of one operation differ, such as not the stride.
    """
    rows, names = list(results), tuple(axes)
    if OPERATION not in names:
        return differing((row.params for row in rows), names)
    by_operation: dict[str, list[Parameters]] = defaultdict(list)
    for row in rows:
        by_operation[row.operation].append(row.params)
    result = [name for one in by_operation.values() for name in differing(one, names)]
    return list(dict.fromkeys(result))


def coordinate(result: Result, name: str) -> Any:
    """Return a result's position on an axis; None if it is unknown."""
    return result.operation if name == OPERATION else result.params.get(name)


def axis_values(name: str, values: Iterable[Any], results: Iterable[Result]) -> tuple[Any, ...]:
    """Return the distinct values of an axis: numbers ascending, others in their tool's order."""
    of_tool = next((result.tool for result in results), "")
    if name == OPERATION:
        return tuple(sorted(set(values), key=lambda value: operation_key(of_tool, value)))
    return tuple(sorted(set(values), key=lambda value: param_key(of_tool, name, value)))


def _axis_order(tools: Iterable[str], name: str) -> int:
    return min((AXIS_ORDER.index(role_of(one, name)) for one in tools), default=len(AXIS_ORDER))


def metrics_of(results: Iterable[Result]) -> list[str]:
    """Return the metrics that any result has."""
    metrics = {
        key for result in results for key, value in result.values.items() if value is not None
    }
    return in_order(metrics)


def grid_of(results: Iterable[Result], choice: Choice) -> Grid:
    """Return the table of a choice; empty if nothing matches."""
    results_by_position: dict[tuple[Any, Any], list[Result]] = defaultdict(list)
    rows = list(results)
    for result in rows:
        value = result.values.get(choice.metric)
        if value is not None and matches_choice(result, choice):
            position = (coordinate(result, choice.x), coordinate(result, choice.y))
            if None not in position:
                results_by_position[position].append(result)
    cells = {key: _cell(results, choice.metric) for key, results in results_by_position.items()}
    xs = axis_values(choice.x, (x for x, _y in cells), rows)
    ys = axis_values(choice.y, (y for _x, y in cells), rows)
    return Grid(choice, xs, ys, cells)


def matches_choice(result: Result, choice: Choice) -> bool:
    """Return True if a result matches the choice, at any position."""
    operation = "" if choice.has_operation_axis else result.operation
    same = (operation, result.tuning, result.target)
    return same == (choice.operation, choice.tuning, choice.target) and all(
        str(result.params.get(name)) == value for name, value in choice.fixed
    )


def _cell(result: Sequence[Result], metric: str) -> Cell:
    pairs = [(float(value), one) for one in result if (value := one.values[metric]) is not None]
    values = [value for value, _one in pairs]
    median = statistics.median(values)
    nearest = min(pairs, key=lambda pair: abs(pair[0] - median))[1].case
    is_cached = all(one.is_cached for one in result)
    return Cell(median, min(values), max(values), len(values), nearest, is_cached)


def value_text(name: str, value: Any, unit: str) -> str:
    """Return a value on an axis: "4 KiB" for bytes, "random read", "yes", else the number."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return value.replace("_", " ") if name == OPERATION else value
    if unit == "bytes":
        return format_size(int(value))
    return f"{value:g}"
