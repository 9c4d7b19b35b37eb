"""Expectations of a comparison's levels and their evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.groups import Group
from apps.analysis.repeats.repeats import Repeats
from apps.analysis.verdicts.comparison import grouped
from apps.results.selectors.expectations import EvaluatedExpectation, KnownExpectations, known_of
from apps.runs.models import Run

MAX_ROWS = 200


def expectation_rows(
    query: ComparisonQuery, runs: Sequence[Run]
) -> list[tuple[str, EvaluatedExpectation]]:
    """Return (workload, target and level; expectation), at most MAX_ROWS.

    Costs one query if no run has expectations.
    """
    expectations = known_of([run.pk for run in runs])
    if not expectations:
        return []
    repeats, result = grouped(query)
    rows = [
        (" · ".join(filter(None, (group.label, group.where, level))), one)
        for group in result.groups
        for level, many in level_expectations(expectations, repeats, group).items()
        for one in many
    ]
    return rows[:MAX_ROWS]


def level_expectations(
    expectations: KnownExpectations, repeats: Repeats, group: Group
) -> Mapping[str, list[EvaluatedExpectation]]:
    """Return a group's expectations by level, without levels that have none."""
    return dict(_expectation_of(expectations, repeats, group)) if expectations else {}


def _expectation_of(
    expectations: KnownExpectations, repeats: Repeats, group: Group
) -> Iterator[tuple[str, list[EvaluatedExpectation]]]:
    for level, rows in group.sides.items():
        if result := expectations.evaluate(repeats.measurement[rows].tolist()):
            yield level, result
