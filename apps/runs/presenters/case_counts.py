"""The cases of a run by what they are and what became of them: one query, from which its page takes
its progress, its workloads and its groups.
"""

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
    """So many cases that are equal in these columns, the least of their places and keys, and the
    greatest key.
    """

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
        """The columns that are equal in one group."""
        return self.step_name, self.workload_id, self.run_target_id

    @property
    def first(self) -> tuple[int, int]:
        """Place and key of the first of them."""
        return self.sequence, self.key


def cases_counted(cases: QuerySet[Case]) -> list[CountedCases]:
    """Counted by the database: as many rows as there are groups and states."""
    rows = cases.order_by().values_list(*ALIKE, "purpose", "state")
    counted = rows.annotate(Min("sequence"), Min("pk"), Max("pk"), Count("pk"))
    return [CountedCases(*row) for row in counted]


def run_counted(run: Run) -> list[CountedCases]:
    """All cases of a run. Read once for an object of a run, whose page needs them in several
    parts.
    """
    known: list[CountedCases] | None = run.__dict__.get(_READ)
    if known is None:
        known = run.__dict__[_READ] = cases_counted(run.cases.all())
    return known


def states_of(counted: Sequence[CountedCases]) -> Counter[str]:
    """The number of cases in each state."""
    found: Counter[str] = Counter()
    for row in counted:
        found[row.state] += row.number
    return found
