"""The change between two tunings over two parameters, with the comparison's own verdicts: a place
whose difference is not shown there is grey here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.grid import Choice, Result
from apps.analysis.verdicts.by_case import compare_with_tuning, entries_by_case
from apps.analysis.verdicts.evaluate import MetricComparison
from apps.analysis.verdicts.text import kind_of
from apps.common.domain.verdicts import DIFFERENCE_SHOWN, VerdictKind

Place = tuple[Any, Any]


@dataclass(frozen=True)
class DeltaCell:
    """The change of the level against the base at one place, and a case of the level."""

    entry: MetricComparison
    case: int

    @property
    def kind(self) -> VerdictKind:
        return kind_of(self.entry.verdict)

    @property
    def is_shown(self) -> bool:
        """Whether the comparison shows a difference."""
        return self.kind in DIFFERENCE_SHOWN


@dataclass(frozen=True)
class MatrixDelta:
    """Cells by (x, y), both axes ascending. `question`: the comparison with these verdicts."""

    choice: Choice
    base: str
    question: ComparisonQuery
    xs: tuple[Any, ...] = ()
    ys: tuple[Any, ...] = ()
    cells: Mapping[Place, DeltaCell] | None = None

    @property
    def found(self) -> Mapping[Place, DeltaCell]:
        return self.cells or {}

    def rows(self) -> list[tuple[Any, list[DeltaCell | None]]]:
        """The value down, then a cell or None for each value across."""
        return [(y, [self.found.get((x, y)) for x in self.xs]) for y in self.ys]


def matrix_delta(
    asked: ComparisonQuery, results: Sequence[Result], choice: Choice, base: str
) -> MatrixDelta:
    """The change of the choice's tuning against `base` (a tuning's name), of these results of the
    choice. Raises ServiceError (400) when there are too many results.
    """
    comparison, is_there = compare_with_tuning(asked, base, choice.metric)
    empty = MatrixDelta(choice, base, comparison.question)
    if not is_there:
        return empty
    entries = entries_by_case(comparison, choice.operation, choice.metric)
    cells = {
        (row.params.get(choice.x), row.params.get(choice.y)): DeltaCell(entry, row.case)
        for row in results
        if (entry := entries.get(row.case)) is not None
    }
    xs, ys = {x for x, _y in cells}, {y for _x, y in cells}
    return replace(empty, xs=tuple(sorted(xs)), ys=tuple(sorted(ys)), cells=cells)
