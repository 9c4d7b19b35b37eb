"""A run's table of cases: filtered, and a page at a time, since a run may have ten thousand."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict

from apps.runs.forms import CaseTableForm
from apps.runs.models import Case, Run, RunTarget
from apps.runs.presenters import CaseRow, case_rows
from apps.runs.selectors import cases_grouped
from apps.runs.workloads import in_order, labels_of, run_workloads

SIZE = 50


@dataclass(frozen=True)
class CaseTable:
    """One page of the table. `query` is the filter as a query string, for the links."""

    form: CaseTableForm
    rows: list[CaseRow]
    page: Page[int]
    query: str

    @property
    def previous(self) -> str:
        return self._link(self.page.number - 1) if self.page.has_previous() else ""

    @property
    def next(self) -> str:
        return self._link(self.page.number + 1) if self.page.has_next() else ""

    def _link(self, number: int) -> str:
        return f"?{self.query}{'&' if self.query else ''}page={number}#cases"


def _targets_with(run: Run, word: str) -> QuerySet[RunTarget]:
    named = Q(name__icontains=word) | Q(members__host__name__icontains=word)
    return run.targets.filter(named).order_by()


def case_table(run: Run, asked: QueryDict) -> CaseTable:
    """The page of the table that the address asks for; a page that is not there is the nearest."""
    form = CaseTableForm(asked)
    cases = run.cases.all()
    if form.is_valid():
        if form.cleaned_data["state"]:
            cases = cases.filter(state=form.cleaned_data["state"])
        for word in form.cleaned_data["text"].split():
            cases = cases.filter(
                Q(workload__label__icontains=word)
                | Q(run_tuning__name__icontains=word)
                | Q(step_name__icontains=word)
                | Q(run_target__in=_targets_with(run, word))
            )
    workloads = run_workloads(run)
    # Files come in the order of their names, "1", "16", "2".
    order = in_order(workloads) if run.is_imported else []
    # All are put in order by their keys alone; what a row shows is read for one page of them.
    keys = cases_grouped(cases, order).values_list("pk", flat=True)
    page = Paginator(keys, SIZE).get_page(asked.get("page"))
    kept = QueryDict(mutable=True)
    for name in ("state", "text"):
        if asked.get(name):
            kept[name] = str(asked[name])
    return CaseTable(
        form, case_rows(_shown(list(page)), labels_of(workloads)), page, kept.urlencode()
    )


def _shown(keys: list[int]) -> list[Case]:
    """The cases of one page, in this order."""
    place = {key: number for number, key in enumerate(keys)}
    rows = cases_grouped(Case.objects.filter(pk__in=keys))
    return sorted(rows, key=lambda case: place[case.pk])
