"""Counts of the cases of a run by group and state, read with one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, Max, Min, QuerySet

from apps.runs.models import Case, Run

ALIKE = ("step_name", "workload_id", "run_target_id")
"""Columns that are equal of cases that only tunings and repeats tell apart: they stand together."""
Alike = tuple[str, int, int]
_READ = "cases_counted"


class CountedCases(NamedTuple):
    """Number of cases with equal columns, their lowest sequence, and the range of their keys."""

    step_name: str
    workload_id: int
    run_target_id: int
    purpose: str
    state: str
    sequence: int
    key: int
    last_key: int
    number: int

    @property
    def alike(self) -> Alike:
        """Return the columns that are equal in a group."""
        return self.step_name, self.workload_id, self.run_target_id

    @property
    def first(self) -> tuple[int, int]:
        """Return sequence and key of the first case."""
        return self.sequence, self.key


def cases_counted(cases: QuerySet[Case]) -> list[CountedCases]:
    """Return one row per group and state."""
    rows = cases.order_by().values_list(*ALIKE, "purpose", "state")
    counted = rows.annotate(Min("sequence"), Min("pk"), Max("pk"), Count("pk"))
    return [CountedCases(*row) for row in counted]


def run_counted(run: Run) -> list[CountedCases]:
    """Return the counts of all cases of a run, cached on the object for its page."""
    known: list[CountedCases] | None = run.__dict__.get(_READ)
    if known is None:
        known = run.__dict__[_READ] = cases_counted(run.cases.all())
    return known


def states_of(counted: Sequence[CountedCases]) -> Counter[str]:
    """Return the number of cases in each state."""
    result: Counter[str] = Counter()
    for row in counted:
        result[row.state] += row.number
    return result
