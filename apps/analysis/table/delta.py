"""The change between two tunings over two parameters, with the comparison's own verdicts: a place
whose difference is not shown there is grey here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.analysis.compare.by_case import against_tuning, entries_by_case
from apps.analysis.compare.question import Question
from apps.analysis.compare.verdicts.judge import Entry
from apps.analysis.compare.words import kind_of
from apps.analysis.table.grid import Choice, Result
from apps.common.verdicts import DECIDED, VerdictKind

Place = tuple[Any, Any]


@dataclass(frozen=True)
class DeltaCell:
    """The change of the level against the base at one place, and a case of the level."""

    entry: Entry
    case: int

    @property
    def kind(self) -> VerdictKind:
        return kind_of(self.entry.verdict)

    @property
    def is_shown(self) -> bool:
        """Whether the comparison shows a difference."""
        return self.kind in DECIDED


@dataclass(frozen=True)
class Delta:
    """Cells by (x, y), both axes ascending. `question`: the comparison with these verdicts."""

    choice: Choice
    base: str
    question: Question
    xs: tuple[Any, ...] = ()
    ys: tuple[Any, ...] = ()
    cells: Mapping[Place, DeltaCell] | None = None

    @property
    def found(self) -> Mapping[Place, DeltaCell]:
        return self.cells or {}

    def rows(self) -> list[tuple[Any, list[DeltaCell | None]]]:
        """The value down, then a cell or None for each value across."""
        return [(y, [self.found.get((x, y)) for x in self.xs]) for y in self.ys]


def delta_of(asked: Question, results: Sequence[Result], choice: Choice, base: str) -> Delta:
    """The change of the choice's tuning against `base` (a tuning's name), of these results of the
    choice. Raises Refused (400) when there are too many results.
    """
    comparison, is_there = against_tuning(asked, base, choice.metric)
    empty = Delta(choice, base, comparison.question)
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
