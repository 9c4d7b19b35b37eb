"""Analysis view "table": results over two parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.errors import query_error
from apps.analysis.queries.run_links import run_links
from apps.analysis.queries.run_query import RunQuery, parse_run_query
from apps.analysis.queries.selection import parts_of
from apps.analysis.repeats.choices_form import FIXED
from apps.analysis.repeats.grid import (
    OPERATION,
    Cell,
    Grid,
    grid_of,
    matches_choice,
    over_time_in,
    run_results,
    table_axes_of,
    value_text,
)
from apps.analysis.result import (
    AnalysisResult,
    BasisItem,
    Chart,
    Column,
    Finding,
    Row,
    Table,
    metric_column,
)
from apps.analysis.table.figures import heat_map
from apps.analysis.table.forms import GridForm
from apps.analysis.table.outliers import outliers_of
from apps.analysis.verdicts.matrix_delta import matrix_delta
from apps.analysis.verdicts.matrix_delta_result import MatrixDeltaResult, matrix_delta_result
from apps.plans.domain.param_text import inside
from apps.tools.metrics import METRICS
from apps.tuning.domain.baseline import tuning_label

KEY = "table"
TITLE = lazy("Over two parameters")
_CHOICES = {"x", "y", "tool", "operation", "tuning", "against", "target", "metric"}


def accepts(name: str) -> bool:
    """Return True if a table query may contain this name."""
    return name in _CHOICES or name in parts_of(KEY) or name.startswith(FIXED)


def parse_query(data: QueryDict) -> RunQuery:
    """Parse a query. Raises: ServiceError (400) for an invalid selection."""
    return parse_run_query(data, KEY)


def compute(query: RunQuery) -> AnalysisResult:
    """Return the table of a run's results. Raises: ServiceError (400) for invalid choices."""
    runs = query.runs()
    results = run_results(*runs, metric=query.chosen.get("metric", ""), within=query.within)
    if len(table_axes_of(results)) < 2:
        text = _("A table needs results at different values of at least two parameters.")
        return AnalysisResult(KEY, _("Over two parameters"), query.urlencode(), empty=text)
    form = GridForm(query.chosen, results, over_time_in(*runs))
    if not form.is_valid():
        raise query_error(form.errors)
    grid = grid_of(form.results, form.choice())
    return _result(query, grid, form, table_delta(query.selected, grid, form))


def table_delta(selected: ComparisonQuery, grid: Grid, form: GridForm) -> MatrixDeltaResult | None:
    """Return the change against the form's base; None for plain values."""
    if not form.base:
        return None
    choice = grid.choice
    mine = [row for row in form.results if matches_choice(row, choice)]
    delta = matrix_delta(selected, mine, choice, form.base)
    across, down = str(form.labels[choice.x]), str(form.labels[choice.y])
    return matrix_delta_result(
        delta, lambda name, value: _value_text(form, name, value), across, down
    )


def _result(
    query: RunQuery, grid: Grid, form: GridForm, delta: MatrixDeltaResult | None
) -> AnalysisResult:
    choice = grid.choice
    across, down = str(form.labels[choice.x]), str(form.labels[choice.y])
    title = _("{metric} over {x} and {y}").format(
        metric=_(METRICS[choice.metric].label), x=across, y=down
    )
    fixed = [f"{form.labels[name]} {form.words_of(name, value)}" for name, value in choice.fixed]
    about = [choice.operation, choice.target, tuning_label(choice.tuning), *fixed]
    figures = Chart("map", title, title, heat_map(grid, form.labels, form.units))
    return AnalysisResult(
        view=KEY,
        title=title,
        query=query.urlencode(),
        subject=" · ".join(part for part in about if part),
        headline=delta.headline if delta else headline(grid, form),
        next_steps=(delta.link,) if delta else (),
        charts=(*([delta.chart] if delta else []), figures),
        tables=(
            *([delta.table] if delta else []),
            _medians(grid, form, down),
            _repeats(grid, form, across, down),
        ),
        notes=notes_of(grid, form),
        basis=(BasisItem(_("Results"), f"{sum(c.repeats for c in grid.cells.values()):,}"),),
        links=run_links(query.runs()),
    )


def _value_text(form: GridForm, name: str, value: Any) -> str:
    return value_text(name, value, form.units.get(name, ""))


def headline(grid: Grid, form: GridForm) -> tuple[Finding, ...]:
    """Return the best median; empty for metrics without a better direction."""
    higher = METRICS[grid.choice.metric].higher_is_better
    if higher is None or not grid.cells:
        return ()
    if grid.choice.has_operation_axis:
        return (_best_of_operations(grid, form),)
    across, down = str(form.labels[grid.choice.x]), str(form.labels[grid.choice.y])
    (x, y), _cell = (max if higher else min)(grid.cells.items(), key=lambda row: row[1].median)
    text = _("The best median is at {down} {y}, {across} {x}.")
    values = {"x": _value_text(form, grid.choice.x, x), "y": _value_text(form, grid.choice.y, y)}
    return (Finding(text.format(across=across, down=down, **values)),)


def _best_of_operations(grid: Grid, form: GridForm) -> Finding:
    """Return the position of each operation's best median."""
    is_down = grid.choice.y == OPERATION
    other = grid.choice.x if is_down else grid.choice.y
    best = max if METRICS[grid.choice.metric].higher_is_better else min
    result = []
    for operation in grid.ys if is_down else grid.xs:
        cells = [(key, one) for key, one in grid.cells.items() if key[is_down] == operation]
        key, _cell = best(cells, key=lambda pair: pair[1].median)
        at = _value_text(form, other, key[not is_down])
        result.append(f"{_value_text(form, OPERATION, operation)} {at}")
    text = _("The best median of each operation, by {parameter}: {places}.")
    return Finding(text.format(parameter=inside(str(form.labels[other])), places=", ".join(result)))


def notes_of(grid: Grid, form: GridForm) -> tuple[str, ...]:
    """Return the notes on cells from the page cache, and on outliers."""
    return (*_cache_notes(grid, form), *_outlier_notes(grid, form))


def _cache_notes(grid: Grid, form: GridForm) -> Iterator[str]:
    cached = [key for key, cell in grid.cells.items() if cell.is_cached]
    if not cached:
        return
    choice = grid.choice
    if choice.has_operation_axis:
        axis, values = (0, grid.xs) if choice.x == OPERATION else (1, grid.ys)
        of_cached = {key[axis] for key in cached}
        names = [_value_text(form, OPERATION, one) for one in values if one in of_cached]
    else:
        names = [_value_text(form, OPERATION, choice.operation)]
    text = _(
        "From the page cache: {operations}, in {n} of {total} cells. The file fits in the host's "
        "memory, and the test is not direct."
    )
    yield text.format(operations=", ".join(names), n=len(cached), total=len(grid.cells))


def _outlier_notes(grid: Grid, form: GridForm) -> tuple[str, ...]:
    """Return one note on cells that are far from their neighbours."""
    result = sorted(outliers_of(grid), key=lambda key: (grid.ys.index(key[1]), key[0]))
    if not result:
        return ()
    positions = [
        f"{_value_text(form, grid.choice.y, y)} × {_value_text(form, grid.choice.x, x)}"
        for x, y in result
    ]
    text = _("Far from the neighbours, which agree with each other: {places}. Measure again.")
    return (text.format(places=", ".join(positions)),)


def _medians(grid: Grid, form: GridForm, down: str) -> Table:
    metric = grid.choice.metric
    heads = [_value_text(form, grid.choice.x, x) for x in grid.xs]
    columns = [metric_column(metric, title=head, name=f"at {head}") for head in heads]
    rows = [
        Row(
            (
                _value_text(form, grid.choice.y, y),
                *(cell.median if cell else None for cell in cells),
            )
        )
        for y, cells in grid.rows()
    ]
    note = _("Medians of the repeats.")
    return Table("medians", _("The figures"), (Column("y", down), *columns), tuple(rows), note)


def _repeats(grid: Grid, form: GridForm, across: str, down: str) -> Table:
    metric = grid.choice.metric
    has_cached = any(cell.is_cached for cell in grid.cells.values())
    columns = (
        Column("y", down),
        Column("x", across),
        metric_column(metric, title=_("Median"), name="median"),
        metric_column(metric, title=_("Minimum"), name="min"),
        metric_column(metric, title=_("Maximum"), name="max"),
        Column("repeats", _("Repeats"), "number"),
        *([Column("page_cache", _("From the page cache"))] if has_cached else []),
    )
    rows = [
        _cell_row(
            _value_text(form, grid.choice.y, y),
            _value_text(form, grid.choice.x, x),
            cell,
            has_cached=has_cached,
        )
        for y, cells in grid.rows()
        for x, cell in zip(grid.xs, cells, strict=True)
        if cell
    ]
    return Table("repeats", _("With the spread of repeats"), columns, tuple(rows), folded=True)


def _cell_row(y: str, x: str, cell: Cell, *, has_cached: bool) -> Row:
    mark = ((_("yes") if cell.is_cached else _("no")),) if has_cached else ()
    return Row((y, x, cell.median, cell.least, cell.most, cell.repeats, *mark), cell.case)


__all__ = ["KEY", "TITLE", "accepts", "compute", "headline", "notes_of", "parse_query"]
