"""Expectations of a comparison's sides, and whether each met them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apps.analysis.compare.comparison import grouped
from apps.analysis.compare.matching.groups import Group
from apps.analysis.compare.matching.repeats import Repeats
from apps.analysis.compare.question import Question
from apps.results.selectors.expectations import HeldExpectation, KnownExpectations, known_of
from apps.runs.models import Run

MOST_SHOWN = 200


def expected_rows(question: Question, runs: Sequence[Run]) -> list[tuple[str, HeldExpectation]]:
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
        for level, many in sides_held(known, repeats, group).items()
        for held in many
    ]
    return rows[:MOST_SHOWN]


def sides_held(
    known: KnownExpectations, repeats: Repeats, group: Group
) -> Mapping[str, list[HeldExpectation]]:
    """A group's expectations by level; levels of which nothing was expected are left out."""
    return dict(_held(known, repeats, group)) if known else {}


def _held(
    known: KnownExpectations, repeats: Repeats, group: Group
) -> Iterator[tuple[str, list[HeldExpectation]]]:
    for level, rows in group.sides.items():
        if found := known.held(repeats.measurement[rows].tolist()):
            yield level, found
