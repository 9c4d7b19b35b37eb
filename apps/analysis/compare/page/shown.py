"""Contents of a comparison's page: plain data that its template and the charts beside it only
print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from apps.analysis.compare.charts import of_question
from apps.analysis.compare.comparison import Choices, Comparison, answer
from apps.analysis.compare.matching.beside import Beside, beside_of
from apps.analysis.compare.page.matrix import Matrix, matrix
from apps.analysis.compare.page.tables import GroupTable, table_of
from apps.analysis.compare.question import Question
from apps.analysis.compare.selectors import runs_of
from apps.analysis.compare.summary import overall
from apps.analysis.compare.varies import spreads
from apps.analysis.compare.verdicts.judge import ComparedResult, fill
from apps.analysis.compare.words import SHORT, listed
from apps.analysis.result import Finding
from apps.common.charts import ChartFigure
from apps.runs.models import Run

T = TypeVar("T")
PAGE_SIZE = 25


@dataclass(frozen=True)
class View:
    """The part of a comparison that is looked at: a page of workloads, one opened workload's slug,
    the metric of the bars (empty for the usual one).
    """

    page: int = 1
    group: str = ""
    chart: str = ""


@dataclass(frozen=True)
class Shown:
    """`without`: results whose workloads do not have the parameter under comparison; `sweep`: the
    parameter to compare by instead. `mains`: the metrics that workloads are judged by; `spreads`:
    (workload, sentence) of spreads on this page that differ. `table`: the opened workload's.
    `usual_chart`: the metric of the bars that nobody chose. `page` of `last_page`.
    """

    levels: tuple[str, ...]
    family: int
    used: int
    alone: int
    without: int
    total: int
    sweep: str
    proposed: dict[str, bool]
    choices: Choices
    overall: tuple[Finding, ...]
    spreads: tuple[tuple[str, str], ...]
    mains: str
    matrix: Matrix
    table: GroupTable | None
    usual_chart: str
    chart: str
    page: int
    last_page: int
    bars_height: int
    forest_height: int

    @property
    def baseline(self) -> str:
        return self.levels[0] if self.levels else ""


class Answers:
    """The answer to one question, as its page and the charts beside it show it."""

    def __init__(self, question: Question) -> None:
        self.question = question

    @cached_property
    def runs(self) -> list[Run]:
        return runs_of(self.question, names_alone=True)

    @cached_property
    def beside(self) -> Beside:
        return beside_of([run.pk for run in self.runs])

    @cached_property
    def _comparison(self) -> Comparison:
        return answer(self.question, self.runs, self.beside)

    def bars(self, view: View) -> ChartFigure:
        """Medians and repeats of the page's workloads by one metric."""
        comparison = self._comparison
        results = page_of(comparison.results, view.page)[0]
        metric = view.chart or first_chart(comparison, results)
        return of_question.bars_figure(comparison.repeats, results, metric)

    def forest(self, view: View) -> ChartFigure:
        """The ratios of the page's workloads."""
        results = page_of(self._comparison.results, view.page)[0]
        return of_question.forest_figure(self._comparison, results)

    def page(self, view: View) -> Shown:
        """The page. Raises Refused (400) when there are too many results."""
        comparison = self._comparison
        results, page, last = page_of(comparison.results, view.page)
        opened = _opened(comparison, results, view)
        fill([*results, *([opened] if opened and opened not in results else [])])
        usual = first_chart(comparison, results)
        chart = view.chart or usual
        bars = of_question.bars_figure(comparison.repeats, results, chart)
        return Shown(
            levels=comparison.levels,
            family=comparison.family,
            used=comparison.used,
            alone=comparison.alone,
            without=comparison.without,
            total=len(comparison.results),
            sweep=comparison.sweep,
            proposed=dict(comparison.proposed),
            choices=comparison.choices,
            overall=overall(comparison),
            spreads=tuple(spreads(comparison, results)),
            mains=listed([str(SHORT[metric]) for metric in comparison.mains]),
            matrix=matrix(results),
            table=table_of(comparison, opened) if opened else None,
            usual_chart=usual,
            chart=chart,
            page=page,
            last_page=last,
            bars_height=bars["layout"]["height"],
            forest_height=of_question.forest_height(comparison, results),
        )


def page_of(rows: Sequence[T], asked: int) -> tuple[Sequence[T], int, int]:
    """The rows of the page asked for, its number, and the last one's."""
    last = max(1, -(-len(rows) // PAGE_SIZE))
    number = min(max(asked, 1), last)
    return rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE], number, last


def first_chart(comparison: Comparison, results: Sequence[ComparedResult]) -> str:
    """The metric that all these workloads are judged by first; where they are not, each its own."""
    mains = of_question.mains_of(results)
    return (mains or [comparison.headline])[0] if len(mains) < 2 else of_question.MAINS


def _opened(
    comparison: Comparison, results: Sequence[ComparedResult], view: View
) -> ComparedResult | None:
    """The workload that was asked for, wherever it stands; the only one without being asked."""
    if not view.group:
        return results[0] if len(comparison.results) == 1 else None
    found = (result for result in comparison.results if result.group.slug == view.group)
    return next(found, None)
