"""Delta as chart, table and findings. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.result import Chart, Column, Finding, Link, Row, Table, Value
from apps.analysis.verdicts.matrix_delta import DeltaCell, MatrixDelta
from apps.analysis.verdicts.verdict_text import kind_text
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.common.domain.value_format import format_change
from apps.common.domain.verdicts import DIFFERENCE_SHOWN, VerdictKind
from apps.tools.metrics import METRICS
from apps.tuning.domain.baseline import tuning_label

NO_DIFFERENCE_COLOR = "#a3a8ae"
COLOR_SCALE = [[0, "#a8322c"], [0.499, "#eeb0ab"], [0.501, "#a5d8b9"], [1, "#167244"]]
"""From much worse to much better; the smallest shown difference is not grey."""
SIGNS = {VerdictKind.BETTER: "▲", VerdictKind.WORSE: "▼"}
UNDECIDED = (VerdictKind.NO_DIFFERENCE, VerdictKind.TOO_FEW_REPEATS, VerdictKind.NOT_COMPARABLE)
"""Grey cells, counted by reason."""
MAX_PERCENT = 50.0
"""Percent of change with the full colour."""
Words = Callable[[str, object], str]


@dataclass(frozen=True)
class MatrixDeltaResult:
    """Parts of an AnalysisResult."""

    headline: tuple[Finding, ...]
    chart: Chart
    table: Table
    link: Link


def matrix_delta_result(
    delta: MatrixDelta, text: Words, across: str, down: str
) -> MatrixDeltaResult:
    """Return the parts of the result. `text`: formats a parameter's value, by name."""
    title = _("{metric}: change of “{level}” against “{base}”").format(
        metric=_(METRICS[delta.choice.metric].label),
        level=tuning_label(delta.choice.tuning),
        base=tuning_label(delta.base),
    )
    address = f"{reverse('compare')}?{delta.query.urlencode()}"
    return MatrixDeltaResult(
        _headline(delta),
        Chart("delta", title, title, _figure(delta, text, across, down)),
        _table(delta, text, across, down),
        Link(_("The comparison with the same verdicts"), address),
    )


def _headline(delta: MatrixDelta) -> tuple[Finding, ...]:
    kinds = [cell.kind for cell in delta.found.values()]
    if not kinds:
        return (Finding(_("No cell was measured on both sides.")),)
    findings = [_count(kinds.count(kind), kind) for kind in (*DIFFERENCE_SHOWN, *UNDECIDED)]
    return tuple(one for one in findings if one)


def _count(number: int, kind: VerdictKind) -> Finding | None:
    words = ngettext("{what} in {n} cell.", "{what} in {n} cells.", number)
    if kind is VerdictKind.NO_DIFFERENCE:
        words = ngettext(
            "No difference is shown in {n} cell.", "No difference is shown in {n} cells.", number
        )
    text = words.format(what=kind_text(kind), n=number)
    return Finding(text, kind) if number else None


def _figure(delta: MatrixDelta, text: Words, across: str, down: str) -> ChartFigure:
    """Return colours from worse to better for shown differences; other cells are grey."""
    choice = delta.choice
    xs = [text(choice.x, x) for x in delta.xs]
    ys = [text(choice.y, y) for y in delta.ys]
    rows = [cells for _y, cells in delta.rows()]
    common: ChartFigure = {
        "type": "heatmap", "x": xs, "y": ys, "xgap": 2, "ygap": 2, "showscale": False,
        "text": [[_cell_text(cell) for cell in cells] for cells in rows],
        "texttemplate": "%{text}",
        "hovertemplate": "%{y} × %{x}: %{text}<extra></extra>",
        "colorbar": {"title": {"text": "%"}},
    }  # fmt: skip
    grey = common | {
        "name": _("no difference shown"),
        "z": [[_of(cell, 0.0, is_shown=False) for cell in cells] for cells in rows],
        "customdata": _changes(rows, is_shown=False),
        "colorscale": [[0, NO_DIFFERENCE_COLOR], [1, NO_DIFFERENCE_COLOR]],
        "hoverongaps": False,
    }
    coloured = common | {
        "name": _("difference shown"),
        "z": [[_of(cell, _strength(cell), is_shown=True) for cell in cells] for cells in rows],
        "customdata": _changes(rows, is_shown=True),
        "zmin": -MAX_PERCENT,
        "zmax": MAX_PERCENT,
        "colorscale": COLOR_SCALE,
        "hoverongaps": False,
    }
    axes = {
        "xaxis": charts.axis(across, type="category"),
        "yaxis": charts.axis(down, type="category"),
    }
    return {"data": [grey, coloured], "layout": charts.layout("", **axes)}


def _changes(rows: list[list[DeltaCell | None]], *, is_shown: bool) -> list[list[float | None]]:
    return [[_of(cell, _change(cell), is_shown=is_shown) for cell in cells] for cells in rows]


def _of(cell: DeltaCell | None, value: float | None, *, is_shown: bool) -> float | None:
    return value if cell is not None and cell.is_shown == is_shown else None


def _change(cell: DeltaCell | None) -> float | None:
    ratio = cell.entry.change.shown if cell else None
    return (ratio - 1) * 100 if ratio is not None else None


def _strength(cell: DeltaCell | None) -> float | None:
    """Return the size of the change, positive if better."""
    change = _change(cell)
    if cell is None or change is None:
        return None
    return abs(change) if cell.kind is VerdictKind.BETTER else -abs(change)


def _cell_text(cell: DeltaCell | None) -> str:
    """Return the change with the verdict's sign, so that colour is not the only information."""
    sign = SIGNS.get(cell.kind, "") if cell else ""
    return f"{sign} {format_change(cell.entry.change.shown)}".strip() if cell else ""


def _table(delta: MatrixDelta, text: Words, across: str, down: str) -> Table:
    columns = (
        Column("y", down),
        Column("x", across),
        Column("verdict", _("Verdict"), "verdict"),
        Column("change", _("Change"), "ratio"),
        Column("typical", _("Typical pair"), "ratio", spare=True),
        Column("low", _("Interval from"), "ratio", spare=True),
        Column("high", _("to"), "ratio", spare=True),
        Column("base_n", _("Repeats of “{name}”").format(name=delta.base), "number", spare=True),
        Column("n", _("Repeats"), "number", spare=True),
    )
    rows = [
        Row(_cells(text(delta.choice.y, y), text(delta.choice.x, x), cell), cell.case)
        for y, cells in delta.rows()
        for x, cell in zip(delta.xs, cells, strict=True)
        if cell
    ]
    return Table("delta", _("The changes"), columns, tuple(rows))


def _cells(y: str, x: str, cell: DeltaCell) -> tuple[Value, ...]:
    change, effect = cell.entry.change, cell.entry.effect
    sides = len(cell.entry.a), len(cell.entry.b)
    return (
        *(y, x, cell.kind.value), change.shown, effect.ratio, effect.low, effect.high, *sides
    )  # fmt: skip
