"""Expectations of a comparison's sides, and whether each met them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.groups import Group
from apps.analysis.repeats.repeats import Repeats
from apps.analysis.verdicts.comparison import grouped
from apps.results.selectors.expectations import HeldExpectation, KnownExpectations, known_of
from apps.runs.models import Run

MAX_ROWS = 200


def expectation_rows(
    question: ComparisonQuery, runs: Sequence[Run]
) -> list[tuple[str, HeldExpectation]]:
    """(workload, place and level, what was expected there), at most MOST_SHOWN; nothing, for one
    query, where no run was expected to do anything.
    """
    known = known_of([run.pk for run in runs])
    if not known:
        return []
    repeats, found = grouped(question)
    rows = [
        (" · ".join(filter(None, (group.label, group.where, level))), held)
        for group in found.groups
        for level, many in level_expectations(known, repeats, group).items()
        for held in many
    ]
    return rows[:MAX_ROWS]


def level_expectations(
    known: KnownExpectations, repeats: Repeats, group: Group
) -> Mapping[str, list[HeldExpectation]]:
    """A group's expectations by level; levels of which nothing was expected are left out."""
    return dict(_expectation_of(known, repeats, group)) if known else {}


def _expectation_of(
    known: KnownExpectations, repeats: Repeats, group: Group
) -> Iterator[tuple[str, list[HeldExpectation]]]:
    for level, rows in group.sides.items():
        if found := known.held(repeats.measurement[rows].tolist()):
            yield level, found
