"""The result of a run in a line or two: for lists of runs, which ask for it one by one."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.analysis.compare.page.shown import Answers, Shown, View
from apps.analysis.compare.question import Question
from apps.analysis.renderings.words import cell_text
from apps.analysis.result import Finding, Row, Table
from apps.analysis.rooms import ROOMS
from apps.common.errors import Refused
from apps.runs.models import Run

MOST = 2
"""Medians that stand for a run of one tuning."""
FIGURES = ("iops", "bandwidth")


@dataclass(frozen=True)
class Headline:
    """`said`: of a comparison of tunings; `measured`: medians, where there is one tuning only."""

    said: tuple[Finding, ...] = ()
    measured: tuple[str, ...] = ()


def headline_of(run: Run) -> Headline:
    """The first sentences of the run's comparison, else its first medians: the same figures as on
    its own page.
    """
    try:
        shown = Answers(Question(runs=(run.pk,))).page(View())
        return _compared(shown) if len(shown.levels) > 1 else Headline(measured=_measured(run))
    except Refused:  # more results than a page compares
        return Headline()


def _compared(shown: Shown) -> Headline:
    return Headline(said=shown.overall)


def _measured(run: Run) -> tuple[str, ...]:
    table = ROOMS["medians"].asked(QueryDict(f"run={run.pk}")).table("medians")
    return tuple(_line(table, row) for row in table.rows[:MOST]) if table else ()


def _line(table: Table, row: Row) -> str:
    cells = {
        column.key: cell_text(column, value)
        for column, value in zip(table.columns, row.cells, strict=True)
        if value is not None
    }
    figures = ", ".join(cells[key] for key in FIGURES if key in cells)
    words = _("{workload}: {figures} (median of {n})")
    return words.format(workload=cells["workload"], figures=figures, n=cells["repeats"])
