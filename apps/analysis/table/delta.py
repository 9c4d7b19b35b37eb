"""The change between two tunings over two parameters, with the comparison's own verdicts: a place
whose difference is not shown there is grey here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.analysis.compare import comparison as compare
from apps.analysis.compare.comparison import Comparison
from apps.analysis.compare.matching.levels import levels_of
from apps.analysis.compare.question import Question
from apps.analysis.compare.verdicts.judge import ComparedResult, Entry, fill
from apps.analysis.compare.words import kind_of
from apps.analysis.table.grid import Choice, Result
from apps.common.verdicts import DECIDED, VerdictKind
from apps.results.models import Measurement
from apps.tools.metrics import OVER_TIME

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
    over_time = (choice.metric,) if choice.metric in OVER_TIME else ()
    comparison = compare.answer(replace(asked, factor="tuning", metrics=over_time))
    label = _label(comparison, base)
    if label and label != comparison.baseline:
        comparison = compare.answer(replace(comparison.question, baseline=label))
    empty = Delta(choice, base, comparison.question)
    if not label:
        return empty
    entries = _entries(comparison, choice)
    cells = {
        (row.params.get(choice.x), row.params.get(choice.y)): DeltaCell(entry, row.case)
        for row in results
        if (entry := entries.get(row.case)) is not None
    }
    xs, ys = {x for x, _y in cells}, {y for _x, y in cells}
    return replace(empty, xs=tuple(sorted(xs)), ys=tuple(sorted(ys)), cells=cells)


def _label(comparison: Comparison, name: str) -> str:
    """The level of the tuning of this name; empty where there is none, or several."""
    repeats = comparison.repeats
    levels = levels_of(repeats, comparison.question)
    found = {
        levels.labels[level]
        for level, conditions in zip(levels.of.tolist(), repeats.conditions.tolist(), strict=True)
        if repeats.shared[conditions].tuning_name == name
    }
    return found.pop() if len(found) == 1 else ""


def _entries(comparison: Comparison, choice: Choice) -> dict[int, Entry]:
    """The entries of the metric, by the cases of each level that is compared."""
    mine = [one for one in comparison.results if one.group.operation == choice.operation]
    fill(mine)
    entries = dict(_by_measurement(comparison, mine, choice.metric))
    cases = Measurement.objects.filter(pk__in=entries).values_list("pk", "case_id")
    return {case: entries[pk] for pk, case in cases}


def _by_measurement(
    comparison: Comparison, results: Iterable[ComparedResult], metric: str
) -> Iterable[tuple[int, Entry]]:
    for result in results:
        line = result.line(metric)
        for entry in line.entries if line else ():
            rows = result.group.sides[entry.level]
            yield from ((pk, entry) for pk in comparison.repeats.measurement[rows].tolist())
