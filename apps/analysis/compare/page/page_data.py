"""Data of the comparison page and its charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from apps.analysis.compare.charts import comparison_charts
from apps.analysis.compare.page.matrix import Matrix, matrix
from apps.analysis.compare.page.tables import GroupTable, table_of
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.comparison_runs import query_runs
from apps.analysis.repeats.related_rows import RelatedRows, related_rows
from apps.analysis.result import Finding
from apps.analysis.verdicts.comparison import Choices, ComparisonResult, compute_comparison
from apps.analysis.verdicts.evaluate import ComparedResult, fill_entries
from apps.analysis.verdicts.headlines import overall
from apps.analysis.verdicts.request_sizes import request_sizes
from apps.analysis.verdicts.variation_text import spreads
from apps.analysis.verdicts.verdict_text import SHORT, listed
from apps.common.domain.charts import ChartFigure
from apps.runs.models import Run

T = TypeVar("T")
PAGE_SIZE = 25


@dataclass(frozen=True)
class View:
    """Shown part of a comparison: page of workloads, slug of the open workload, metric of the bars.

    An empty `chart` is the default metric.
    """

    page: int = 1
    group: str = ""
    chart: str = ""


@dataclass(frozen=True)
class TablesPage:
    """Tables of the comparison page.

    `level_names`: of the levels, in English. `factor`: what they are. `without`: number of results
    whose workloads lack the compared parameter; `sweep`: parameter to compare by instead. `mains`:
    main metrics of the workloads. `spreads`: (workload, sentence) of spreads on this page that
    differ. `table`: of the open workload. `usual_chart`: default metric of the bars.
    """

    levels: tuple[str, ...]
    level_names: tuple[str, ...]
    factor: str
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


class ComparisonPage:
    """Result of a comparison query, computed once for page and charts."""

    def __init__(self, query: ComparisonQuery) -> None:
        self.query = query

    @cached_property
    def runs(self) -> list[Run]:
        return query_runs(self.query, names_alone=True)

    @cached_property
    def related(self) -> RelatedRows:
        return related_rows([run.pk for run in self.runs])

    @cached_property
    def _comparison(self) -> ComparisonResult:
        return compute_comparison(self.query, self.runs, self.related)

    def bars(self, view: View) -> ChartFigure:
        """Return the bars of the page's workloads by one metric."""
        comparison = self._comparison
        results = page_of(comparison.results, view.page)[0]
        metric = view.chart or first_chart(comparison, results)
        return comparison_charts.bars_figure(comparison.repeats, results, metric)

    def forest(self, view: View) -> ChartFigure:
        """Return the forest plot of the page's workloads."""
        results = page_of(self._comparison.results, view.page)[0]
        return comparison_charts.forest_figure(self._comparison, results)

    def page(self, view: View) -> TablesPage:
        """Return the page. Raises: ServiceError (400) if there are too many results."""
        comparison = self._comparison
        results, page, last = page_of(comparison.results, view.page)
        opened = _open_workload(comparison, results, view)
        fill_entries([*results, *([opened] if opened and opened not in results else [])])
        usual = first_chart(comparison, results)
        chart = view.chart or usual
        bars = comparison_charts.bars_figure(comparison.repeats, results, chart)
        return TablesPage(
            levels=comparison.levels,
            level_names=comparison.level_names,
            factor=comparison.factor_label,
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
            matrix=matrix(results, comparison.within_tests, request_sizes(results)),
            table=table_of(comparison, opened) if opened else None,
            usual_chart=usual,
            chart=chart,
            page=page,
            last_page=last,
            bars_height=bars["layout"]["height"],
            forest_height=comparison_charts.forest_height(comparison, results),
        )


def page_of(rows: Sequence[T], requested: int) -> tuple[Sequence[T], int, int]:
    """Return the rows of a page, its number, and the last page's number."""
    last = max(1, -(-len(rows) // PAGE_SIZE))
    number = min(max(requested, 1), last)
    return rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE], number, last


def first_chart(comparison: ComparisonResult, results: Sequence[ComparedResult]) -> str:
    """Return the main metric that all these workloads share, else MAINS."""
    mains = comparison_charts.mains_of(results)
    return (mains or [comparison.headline])[0] if len(mains) < 2 else comparison_charts.MAINS


def _open_workload(
    comparison: ComparisonResult, results: Sequence[ComparedResult], view: View
) -> ComparedResult | None:
    """Return the workload of the view, or the only workload."""
    if not view.group:
        return results[0] if len(comparison.results) == 1 else None
    matches = (result for result in comparison.results if result.group.slug == view.group)
    return next(matches, None)
