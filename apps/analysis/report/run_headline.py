"""Headline of a run, for lists of runs that fetch it one by one."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.compare.page.page_data import ComparisonPage, TablesPage, View
from apps.analysis.presenters.table_cells import cell_text
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.registry import VIEWS
from apps.analysis.result import Finding, Row, Table
from apps.common.errors import ServiceError
from apps.runs.models import Run

MAX_MEDIANS = 2
"""Limit of medians of a run with one tuning."""
METRICS = ("iops", "bandwidth")


@dataclass(frozen=True)
class Headline:
    """Findings of a comparison of tunings, or medians of a run with one tuning."""

    findings: tuple[Finding, ...] = ()
    measured: tuple[str, ...] = ()


def headline_of(run: Run) -> Headline:
    """Return the first findings of the run's comparison, else its first medians."""
    try:
        tables = ComparisonPage(ComparisonQuery(runs=(run.pk,))).page(View())
        return _compared(tables) if len(tables.levels) > 1 else Headline(measured=medians_of(run))
    except ServiceError:  # more results than a page compares
        return Headline()


def _compared(tables: TablesPage) -> Headline:
    return Headline(findings=tables.overall)


def medians_of(run: Run, *, counts_others: bool = False) -> tuple[str, ...]:
    """Return the first medians of a run as text; `counts_others` adds a line with their number."""
    table = VIEWS["medians"].analyse(QueryDict(f"run={run.pk}")).table("medians")
    if table is None:
        return ()
    lines = tuple(_line(table, row) for row in table.rows[:MAX_MEDIANS])
    left = len(table.rows[MAX_MEDIANS:])
    if not (left and counts_others):
        return lines
    text = ngettext(
        "{n} more result on the page of the run", "{n} more results on the page of the run", left
    )
    return (*lines, text.format(n=left))


def _line(table: Table, row: Row) -> str:
    cells = {
        column.key: cell_text(column, value)
        for column, value in zip(table.columns, row.cells, strict=True)
        if value is not None
    }
    figures = ", ".join(cells[key] for key in METRICS if key in cells)
    text = _("{workload}: {figures} (median of {n})")
    return text.format(workload=cells["workload"], figures=figures, n=cells["repeats"])
