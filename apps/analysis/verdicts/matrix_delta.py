"""Change between two tunings over two parameters, with the verdicts of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.grid import Choice, Result, axis_values, coordinate
from apps.analysis.verdicts.by_case import compare_with_tuning, entries_by_case
from apps.analysis.verdicts.evaluate import MetricComparison
from apps.analysis.verdicts.verdict_text import kind_of
from apps.common.domain.verdicts import DIFFERENCE_SHOWN, VerdictKind

CellPosition = tuple[Any, Any]


@dataclass(frozen=True)
class DeltaCell:
    """Change of the level against the base at one position, and a case of the level."""

    entry: MetricComparison
    case: int

    @property
    def kind(self) -> VerdictKind:
        return kind_of(self.entry.verdict)

    @property
    def is_shown(self) -> bool:
        """Return True if the comparison shows a difference."""
        return self.kind in DIFFERENCE_SHOWN


@dataclass(frozen=True)
class MatrixDelta:
    """Cells by (x, y), both axes ascending. `query`: that of the comparison."""

    choice: Choice
    base: str
    query: ComparisonQuery
    xs: tuple[Any, ...] = ()
    ys: tuple[Any, ...] = ()
    cells: Mapping[CellPosition, DeltaCell] | None = None

    @property
    def found(self) -> Mapping[CellPosition, DeltaCell]:
        return self.cells or {}

    def rows(self) -> list[tuple[Any, list[DeltaCell | None]]]:
        """Return the y value, then a cell or None for each x value."""
        return [(y, [self.found.get((x, y)) for x in self.xs]) for y in self.ys]


def matrix_delta(
    query: ComparisonQuery, results: Sequence[Result], choice: Choice, base: str
) -> MatrixDelta:
    """Return the change of the choice's tuning against the tuning `base`.

    Raises: ServiceError (400) if there are too many results.
    """
    comparison, has_base = compare_with_tuning(query, base, choice.metric)
    empty = MatrixDelta(choice, base, comparison.query)
    if not has_base:
        return empty
    entries = {
        operation: entries_by_case(comparison, operation, choice.metric)
        for operation in sorted({row.operation for row in results})
    }
    cells = {
        (coordinate(row, choice.x), coordinate(row, choice.y)): DeltaCell(entry, row.case)
        for row in results
        if (entry := entries[row.operation].get(row.case)) is not None
    }
    xs = axis_values(choice.x, (x for x, _y in cells), results)
    ys = axis_values(choice.y, (y for _x, y in cells), results)
    return replace(empty, xs=xs, ys=ys, cells=cells)
