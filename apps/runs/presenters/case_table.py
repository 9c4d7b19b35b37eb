"""Table of a run's cases, page by page: a run may have 10,000 cases."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from apps.common.domain.keys import parse_key
from apps.runs.forms import CaseTableForm
from apps.runs.models import Case, Run, RunTarget
from apps.runs.presenters.case_counts import ALIKE, cases_counted, run_counted
from apps.runs.presenters.case_groups import (
    GROUPS,
    SIZE,
    ShownGroup,
    any_of,
    groups_counted,
    groups_folded,
    groups_of_rows,
    keys_of,
    with_medians,
)
from apps.runs.presenters.case_rows import MAXIMA, CaseRow, case_rows
from apps.runs.presenters.workloads import in_order, labels_of, run_workloads
from apps.tools.metrics import Metric


@dataclass(frozen=True)
class CaseTable:
    """Page of the table: of cases, or of groups if `is_lines`.

    `query`: the filter as a query string. `folds`: groups without failures are folded.
    `alone`: the page has a single group.
    """

    form: CaseTableForm
    groups: list[ShownGroup]
    page: Page[Any]
    query: str
    folds: bool = False
    is_lines: bool = False
    alone: bool = False

    @property
    def maxima(self) -> tuple[Metric, ...]:
        """Return the columns of maxima, which are hidden until they are chosen."""
        return MAXIMA

    @property
    def rows(self) -> list[CaseRow]:
        """Return the cases of the page."""
        return [row for group in self.groups for row in group.rows]

    @property
    def total(self) -> int:
        return self.page.paginator.count

    @property
    def previous(self) -> str:
        return self._link(self.page.number - 1) if self.page.has_previous() else ""

    @property
    def next(self) -> str:
        return self._link(self.page.number + 1) if self.page.has_next() else ""

    def _link(self, number: int) -> str:
        return f"?{self.query}{'&' if self.query else ''}page={number}#cases"


def case_table(run: Run, query: QueryDict) -> CaseTable:
    """Return the requested page of the table, or the nearest existing page.

    The database counts the groups; rows are read for one page only, so each page costs the same.
    A large ended run shows groups.
    """
    form = CaseTableForm(query)
    filters = QueryDict(mutable=True)
    for name in ("state", "text", "group"):
        if query.get(name):
            filters[name] = str(query[name])
    cases = _filtered(run, form, query.get("group"))
    workloads = run_workloads(run)
    # A badge shows that a test is buffered.
    labels = labels_of(workloads, without="direct")
    counted = cases_counted(cases) if filters else run_counted(run)
    # Files come in the order of their names, "1", "16", "2".
    groups = groups_counted(counted, in_order(workloads) if run.is_imported else ())
    total = sum(group.number for group in groups)
    # What is looked for is shown, and so is what happens while the run goes on.
    folds = run.is_final and not filters
    if folds and total > SIZE:
        page = Paginator(groups, GROUPS).get_page(query.get("page"))
        lines = with_medians(run, groups_folded(run, list(page), labels))
        return CaseTable(form, lines, page, "", folds=True, is_lines=True)
    pages = Paginator(range(total), SIZE).get_page(query.get("page"))
    rows = case_rows(keys_of(cases, groups, max(pages.start_index() - 1, 0)), labels)
    result = groups_of_rows(rows)
    if folds:
        result = with_medians(run, result)
    return CaseTable(form, result, pages, filters.urlencode(), folds, alone="group" in filters)


def views_of_cases() -> list[tuple[str, str, str]]:
    """Return the analysis views of selected cases: label, address, icon.

    Empty if they are not installed, as they are above this app.
    """
    result = [
        (_("Compare"), "compare", "compare"),
        (_("Over time"), "timeseries", "chart"),
        (_("Distribution of latencies"), "distribution", "chart"),
        (_("Configuration diff"), "config_diff", "document"),
    ]
    with suppress(NoReverseMatch):
        return [(words, reverse(name), icon) for words, name, icon in result]
    return []


def _filtered(run: Run, form: CaseTableForm, group: str | None) -> QuerySet[Case]:
    cases = run.cases.order_by()
    if group:
        alike = cases.filter(pk=parse_key(group)).values_list(*ALIKE).first()
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
