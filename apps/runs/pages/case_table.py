"""A run's table of cases: filtered, and a page at a time, since a run may have ten thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Min, Q, QuerySet
from django.http import QueryDict
from django.urls import reverse

from apps.runs.forms import CaseTableForm
from apps.runs.models import Case, Run, RunTarget
from apps.runs.pages.case_rows import CaseRow, case_rows
from apps.runs.pages.workloads import in_order, labels_of, run_workloads

SIZE = 50
ALIKE = ("step_name", "workload_id", "run_target_id")
"""Columns that are equal of cases that only tunings and repeats tell apart: they stand together."""


@dataclass(frozen=True)
class AlikeCases:
    """Such cases of one run, and how many there are."""

    alike: tuple[str, int, int]
    number: int


@dataclass(frozen=True)
class ShownGroup:
    """The rows of a group that are on this page."""

    rows: list[CaseRow]

    @property
    def head(self) -> CaseRow:
        return self.rows[0]

    @property
    def states(self) -> list[tuple[str, int]]:
        """Each state with the number of its rows, the commonest first."""
        return Counter(row.state for row in self.rows).most_common()

    @property
    def is_fine(self) -> bool:
        """Whether every case succeeded and every result counts."""
        return all(row.is_fine for row in self.rows)


@dataclass(frozen=True)
class CaseTable:
    """One page of the table, of `total` cases. `query` is the filter as a query string, for the
    links. `folds`: whether groups without a fault are shown as a line that opens.
    """

    form: CaseTableForm
    rows: list[CaseRow]
    page: int
    total: int
    query: str
    folds: bool = False

    @property
    def groups(self) -> list[ShownGroup]:
        """The rows of this page, group by group."""
        found: list[ShownGroup] = []
        for row in self.rows:
            if row.starts_group or not found:
                found.append(ShownGroup([]))
            found[-1].rows.append(row)
        return found

    @property
    def first(self) -> int:
        return (self.page - 1) * SIZE + 1

    @property
    def last(self) -> int:
        return min(self.page * SIZE, self.total)

    @property
    def previous(self) -> str:
        return self._link(self.page - 1) if self.page > 1 else ""

    @property
    def next(self) -> str:
        return self._link(self.page + 1) if self.last < self.total else ""

    @property
    def cases_url(self) -> str:
        """The beginning of a case's address: asked once, not for each row."""
        return reverse("case_detail", args=[0]).removesuffix("0/")

    def _link(self, number: int) -> str:
        return f"?{self.query}{'&' if self.query else ''}page={number}#cases"


def case_table(run: Run, asked: QueryDict) -> CaseTable:
    """The page of the table that the address asks for; a page that is not there is the nearest.

    The database counts the groups of cases; rows are read for the groups of one page alone, so
    every page costs the same.
    """
    form = CaseTableForm(asked)
    cases = _filtered(run, form)
    workloads = run_workloads(run)
    # Files come in the order of their names, "1", "16", "2".
    groups = _groups(cases, in_order(workloads) if run.is_imported else [])
    total = sum(group.number for group in groups)
    page = _page(asked.get("page"), total)
    keys = _keys(cases, groups, (page - 1) * SIZE)
    kept = QueryDict(mutable=True)
    for name in ("state", "text"):
        if asked.get(name):
            kept[name] = str(asked[name])
    rows = case_rows(keys, labels_of(workloads))
    # What is looked for is shown, and so is what happens while the run goes on.
    folds = run.is_final and not kept
    return CaseTable(form, rows, page, total, kept.urlencode(), folds)


def _filtered(run: Run, form: CaseTableForm) -> QuerySet[Case]:
    cases = run.cases.order_by()
    if not form.is_valid():
        return cases
    if form.cleaned_data["state"]:
        cases = cases.filter(state=form.cleaned_data["state"])
    for word in form.cleaned_data["text"].split():
        cases = cases.filter(
            Q(workload__label__icontains=word)
            | Q(run_tuning__name__icontains=word)
            | Q(step_name__icontains=word)
            | Q(run_target__in=_targets_with(run, word))
        )
    return cases


def _targets_with(run: Run, word: str) -> QuerySet[RunTarget]:
    named = Q(name__icontains=word) | Q(members__host__name__icontains=word)
    return run.targets.filter(named).order_by()


def _groups(cases: QuerySet[Case], order: Sequence[int]) -> list[AlikeCases]:
    """In the plan's order; first by `order` of the workloads where nobody planned one."""
    rank = {workload: place for place, workload in enumerate(order)}
    rows = cases.values_list(*ALIKE).annotate(Min("position"), Count("pk"))
    found = sorted(rows, key=lambda row: (rank.get(row[1], len(rank)), row[3]))
    return [
        AlikeCases((step, workload, target), number) for step, workload, target, _, number in found
    ]


def _page(asked: str | None, total: int) -> int:
    """The number of a page that is there."""
    number = int(asked) if asked and asked.isascii() and asked.isdigit() else 1
    return max(1, min(number, -(-total // SIZE)))


def _keys(cases: QuerySet[Case], groups: Sequence[AlikeCases], start: int) -> list[int]:
    """The keys of SIZE cases from `start` on, group by group."""
    wanted: list[tuple[str, int, int]] = []
    passed = skipped = 0
    for group in groups:
        if passed + group.number > start and passed < start + SIZE:
            skipped = start - passed if not wanted else skipped
            wanted.append(group.alike)
        passed += group.number
    if not wanted:
        return []
    any_of = Q(*(Q(**dict(zip(ALIKE, alike, strict=True))) for alike in wanted), _connector=Q.OR)
    place = {alike: number for number, alike in enumerate(wanted)}
    rows = cases.filter(any_of).values_list(*ALIKE, "run_tuning__name", "repeat", "position", "pk")
    ordered = sorted((place[row[:3]], *row[3:]) for row in rows)
    return [row[-1] for row in ordered[skipped : skipped + SIZE]]
