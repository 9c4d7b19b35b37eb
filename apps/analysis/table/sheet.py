"""Tables of a sweep as an Excel workbook, in iozone's layout.

A block per operation has the values of one parameter in its top row and of the other in its left
column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

import xlsxwriter
from django.utils.translation import gettext as _

from apps.analysis.repeats.grid import Choice, Grid, Result, grid_of, matches_choice, others_of
from apps.common.domain.charts import Scale, scale_for
from apps.tools.metrics import METRICS
from apps.tools.workloads.order import operations_in_order, param_key
from apps.tuning.domain.baseline import tuning_label

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# Text of users or hosts stays text: no formula, no link.
_PLAIN = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_COLUMNS = 18


@dataclass(frozen=True)
class SheetText:
    """Texts of a sheet: parameter labels and values, and the facts above the blocks."""

    label: Callable[[str], str]
    value: Callable[[str, Any], str]
    facts: Sequence[tuple[str, str]] = field(default_factory=tuple)


def tables_of(results: Sequence[Result], choice: Choice, tool: str) -> list[Grid]:
    """Return the chosen table for each operation of the tool with results.

    With the operation as an axis: for each combination of the other parameters that vary.
    """
    mine = [row for row in results if row.tool == tool]
    if choice.has_operation_axis:
        return [grid for grid in _grids_of_fixed(mine, choice) if grid.cells]
    operations = operations_in_order((row.tool, row.operation) for row in mine)
    grids = [grid_of(mine, replace(choice, operation=name)) for name in operations]
    return [grid for grid in grids if grid.cells]


def _grids_of_fixed(results: Sequence[Result], choice: Choice) -> Iterator[Grid]:
    """Yield a table for each combination of values of the parameters that are no axis."""
    rows = [row for row in results if matches_choice(row, replace(choice, fixed=()))]
    names = others_of(rows, (choice.x, choice.y))
    combinations = {
        tuple((name, str(row.params.get(name))) for name in names): tuple(
            param_key(row.tool, name, row.params.get(name)) for name in names
        )
        for row in rows
    }
    for fixed in sorted(combinations, key=lambda one: combinations[one]):
        yield grid_of(rows, replace(choice, fixed=fixed))


def workbook(grids: Sequence[Grid], text: SheetText) -> bytes:
    """Return an .xlsx file; all values have one unit, which is stated above the blocks."""
    values = [cell.median for grid in grids for cell in grid.cells.values()]
    metric = METRICS[grids[0].choice.metric]
    scale = scale_for(metric.unit, values)
    target = BytesIO()
    with xlsxwriter.Workbook(target, _PLAIN) as book:
        sheet = book.add_worksheet(_("Results"))
        sheet.set_column(0, 0, _COLUMNS)
        bold = book.add_format({"bold": True})
        figure = book.add_format({"num_format": "#,##0.0##"})
        row = _write_facts(
            sheet, bold, text, _sheet_facts(grids[0], text, f"{_(metric.label)}, {scale.unit}")
        )
        for grid in grids:
            row = _write_block(sheet, row + 1, grid, scale, text, {"bold": bold, "figure": figure})
    return target.getvalue()


def _sheet_facts(grid: Grid, text: SheetText, figures: str) -> list[tuple[str, str]]:
    choice = grid.choice
    # With the operation as an axis the blocks differ in these, and each block states its own.
    shared = () if choice.has_operation_axis else choice.fixed
    fixed = [(text.label(name), text.value(name, value)) for name, value in shared]
    return [
        *text.facts,
        (_("Tuning"), tuning_label(choice.tuning)),
        (_("Target"), choice.target),
        *fixed,
        (_("Figures"), _("{what}: medians of the valid repeats").format(what=figures)),
        (_("Top row"), text.label(choice.x)),
        (_("Left column"), text.label(choice.y)),
    ]


def _write_facts(sheet: Any, bold: Any, words: SheetText, facts: Sequence[tuple[str, str]]) -> int:
    for row, (name, text) in enumerate(facts):
        sheet.write_string(row, 0, name, bold)
        sheet.write_string(row, 1, text or _("unknown"))
    return len(facts)


def _block_title(grid: Grid, text: SheetText) -> str:
    if not grid.choice.has_operation_axis:
        return grid.choice.operation
    fixed = [f"{text.label(name)} {text.value(name, value)}" for name, value in grid.choice.fixed]
    return ", ".join(fixed) or _("All operations")


def _write_block(
    sheet: Any, top: int, grid: Grid, scale: Scale, text: SheetText, formats: Mapping[str, Any]
) -> int:
    """Write a block from this row on; return the first row below it."""
    sheet.write_string(top, 0, _block_title(grid, text), formats["bold"])
    for column, x in enumerate(grid.xs, 1):
        sheet.write_string(top + 1, column, text.value(grid.choice.x, x), formats["bold"])
    for row, (y, cells) in enumerate(grid.rows(), top + 2):
        sheet.write_string(row, 0, text.value(grid.choice.y, y), formats["bold"])
        for column, cell in enumerate(cells, 1):
            (value,) = scale.of([cell.median if cell else None])
            if value is not None:
                sheet.write_number(row, column, value, formats["figure"])
    return top + 2 + len(grid.ys)
