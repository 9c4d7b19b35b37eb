"""Page of a run's results over two parameters."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.accounts.permissions import user_of
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.run_query import run_page_query, without
from apps.analysis.repeats.grid import (
    Cell,
    Grid,
    grid_of,
    over_time_in,
    run_results,
    table_axes_of,
    value_text,
)
from apps.analysis.result import Finding
from apps.analysis.table.analysis import headline, notes_of, table_delta
from apps.analysis.table.figures import heat_map, surface
from apps.analysis.table.forms import GridForm
from apps.analysis.table.outliers import outliers_of
from apps.analysis.table.sheet import MEDIA_TYPE, SheetText, tables_of, workbook
from apps.analysis.verdicts.matrix_delta_result import MatrixDeltaResult
from apps.common.domain.charts import ChartFigure
from apps.runs.forms import RepeatsForm
from apps.runs.models import Run
from apps.runs.selectors.runs import runs_visible
from apps.runs.services.extension import may_repeat
from apps.tools.metrics import METRICS, Metric


class TableCell(NamedTuple):
    """Cell of the page's table. `is_outlier`: it is far from its neighbours."""

    column: str
    cell: Cell | None
    is_outlier: bool


class TableContext(TypedDict, total=False):
    """Context of the page. `rows`: the y value, then each x value with its cell."""

    run: Run
    axes: list[str]
    form: GridForm
    query: str
    exported: str
    grid: Grid
    findings: tuple[Finding, ...]
    view: str
    unit: str
    metric: Metric
    across: str | Promise
    down: str | Promise
    columns: list[str]
    rows: list[tuple[str, list[TableCell]]]
    notes: tuple[str, ...]
    figure: ChartFigure
    missing: int
    delta: MatrixDeltaResult | None
    may_repeat: bool
    repeats_of_cases_form: RepeatsForm


@require_safe
@login_required
def run_grid(request: HttpRequest, pk: int) -> HttpResponse:
    """Render a table with a heat map, or with a surface (`?view=surface`)."""
    run = get_object_or_404(runs_visible(), pk=pk)
    results = run_results(run, metric=request.GET.get("metric", ""))
    context: TableContext = {"run": run, "axes": table_axes_of(results)}
    context["may_repeat"] = may_repeat(run) and run.is_editable(user_of(request))
    context["repeats_of_cases_form"] = RepeatsForm(auto_id="again-%s")
    status = 200
    if len(context["axes"]) > 1:
        form = GridForm(request.GET.dict(), results, over_time_in(run))
        context["form"] = form
        if form.is_valid():
            shown = "surface" if request.GET.get("view") == "surface" else "map"
            grid = grid_of(form.results, form.choice())
            context |= _table_context(grid, form, shown)
            context["delta"] = table_delta(ComparisonQuery(runs=(run.pk,)), grid, form)
            context["query"] = _query(request)
            context["exported"] = run_page_query(request.GET, run.pk)
        else:
            status = 400
    return render(request, "analysis/table.html", context, status=status)


@require_safe
@login_required
def run_grid_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the table of every operation as an Excel workbook."""
    run = get_object_or_404(runs_visible(), pk=pk)
    results = run_results(run, metric=request.GET.get("metric", ""))
    form = (
        GridForm(request.GET.dict(), results, over_time_in(run))
        if len(table_axes_of(results)) > 1
        else None
    )
    if form is None or not form.is_valid():
        return run_grid(request, pk)
    grids = tables_of(results, form.choice(), form.cleaned_data["tool"])
    if not grids:
        raise Http404(pk)
    facts = [(_("Run"), str(run)), (_("Tool"), form.cleaned_data["tool"])]
    text = SheetText(lambda name: str(form.labels[name]), form.words_of, facts)
    response = HttpResponse(workbook(grids, text), content_type=MEDIA_TYPE)
    response["Content-Disposition"] = f'attachment; filename="run-{run.pk}-table.xlsx"'
    return response


def _table_context(grid: Grid, form: GridForm, view: str) -> TableContext:
    choice = grid.choice
    draw = surface if view == "surface" else heat_map
    columns = [value_text(choice.x, x, form.units.get(choice.x, "")) for x in grid.xs]
    outliers = outliers_of(grid)
    return {
        "grid": grid,
        "notes": notes_of(grid, form),
        "findings": headline(grid, form),
        "view": view,
        "unit": METRICS[choice.metric].unit,
        "metric": METRICS[choice.metric],
        "across": form.labels[choice.x],
        "down": form.labels[choice.y],
        "columns": columns,
        "rows": [
            (
                value_text(choice.y, y, form.units.get(choice.y, "")),
                [
                    TableCell(column, cell, (x, y) in outliers)
                    for column, x, cell in zip(columns, grid.xs, cells, strict=True)
                ],
            )
            for y, cells in grid.rows()
        ],
        "figure": draw(grid, form.labels, form.units),
        "missing": sum(cell is None for _y, cells in grid.rows() for cell in cells),
    }


def _query(request: HttpRequest) -> str:
    """Return the query without the view, for links between views."""
    return without(request.GET, "view").urlencode()
