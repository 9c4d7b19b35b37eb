"""A run's table of cases: filtered, and a page at a time, since a run may have ten thousand."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from apps.runs.forms import CaseTableForm
from apps.runs.models import Case, Run, RunTarget
from apps.runs.pages.case_counts import ALIKE, cases_counted, run_counted
from apps.runs.pages.case_groups import (
    GROUPS,
    SIZE,
    ShownGroup,
    any_of,
    groups_counted,
    groups_folded,
    groups_of_rows,
    keys_of,
)
from apps.runs.pages.case_rows import CaseRow, case_rows
from apps.runs.pages.workloads import in_order, labels_of, run_workloads


@dataclass(frozen=True)
class CaseTable:
    """One page of the table, of `total` cases, or of so many groups where `is_lines`. `query` is
    the filter as a query string, for the links. `folds`: whether groups without a fault are shown
    as a line that opens; `alone`: one group was asked for.
    """

    form: CaseTableForm
    groups: list[ShownGroup]
    page: int
    total: int
    query: str
    folds: bool = False
    is_lines: bool = False
    alone: bool = False

    @property
    def rows(self) -> list[CaseRow]:
        """Every case that is shown."""
        return [row for group in self.groups for row in group.rows]

    @property
    def first(self) -> int:
        return (self.page - 1) * self._size + 1

    @property
    def last(self) -> int:
        return min(self.page * self._size, self.total)

    @property
    def _size(self) -> int:
        return GROUPS if self.is_lines else SIZE

    @property
    def previous(self) -> str:
        return self._link(self.page - 1) if self.page > 1 else ""

    @property
    def next(self) -> str:
        return self._link(self.page + 1) if self.last < self.total else ""

    def _link(self, number: int) -> str:
        return f"?{self.query}{'&' if self.query else ''}page={number}#cases"


def case_table(run: Run, asked: QueryDict) -> CaseTable:
    """The page of the table that the address asks for; a page that is not there is the nearest.

    The database counts the groups of cases; rows are read for the groups of one page alone, so
    every page costs the same. Of a large run that has ended the groups are lines.
    """
    form = CaseTableForm(asked)
    kept = QueryDict(mutable=True)
    for name in ("state", "text", "group"):
        if asked.get(name):
            kept[name] = str(asked[name])
    cases = _filtered(run, form, asked.get("group"))
    workloads, labels = run_workloads(run), labels_of(run_workloads(run))
    counted = cases_counted(cases) if kept else run_counted(run)
    # Files come in the order of their names, "1", "16", "2".
    groups = groups_counted(counted, in_order(workloads) if run.is_imported else ())
    total = sum(group.number for group in groups)
    # What is looked for is shown, and so is what happens while the run goes on.
    folds = run.is_final and not kept
    if folds and total > SIZE:
        page = _page(asked.get("page"), len(groups), GROUPS)
        shown = groups[(page - 1) * GROUPS : page * GROUPS]
        lines = groups_folded(run, shown, labels)
        return CaseTable(form, lines, page, len(groups), "", folds=True, is_lines=True)
    page = _page(asked.get("page"), total, SIZE)
    rows = case_rows(keys_of(cases, groups, (page - 1) * SIZE), labels)
    found = groups_of_rows(rows)
    return CaseTable(form, found, page, total, kept.urlencode(), folds, alone="group" in kept)


def views_of_cases() -> list[tuple[str, str, str]]:
    """Views that lay chosen cases over each other: words, address, icon. They are above this app,
    so that they may be missing.
    """
    found = [
        (_("Compare"), "compare", "compare"),
        (_("Over time"), "over_time", "chart"),
        (_("Distribution of latencies"), "distribution", "chart"),
        (_("Facts side by side"), "facts", "document"),
    ]
    with suppress(NoReverseMatch):
        return [(words, reverse(name), icon) for words, name, icon in found]
    return []


def _filtered(run: Run, form: CaseTableForm, group: str | None) -> QuerySet[Case]:
    cases = run.cases.order_by()
    if group:
        alike = cases.filter(pk=_number(group, 0)).values_list(*ALIKE).first()
        cases = cases.filter(any_of([alike])) if alike else cases.none()
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


def _page(asked: str | None, total: int, size: int) -> int:
    """The number of a page that is there."""
    return max(1, min(_number(asked, 1), -(-total // size)))


def _number(asked: str | None, usual: int) -> int:
    """A number of an address; longer ones are none."""
    plain = asked and asked.isascii() and asked.isdigit() and len(asked) < 19
    return int(asked) if asked and plain else usual
