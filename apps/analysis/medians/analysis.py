"""Analysis view "medians": a row for each workload, operation, target and tuning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.medians.maxima import MAX_METRICS, WINDOW_METRICS, burst_of, maxima_cells
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.run_links import run_links
from apps.analysis.queries.run_query import RunQuery, parse_run_query
from apps.analysis.queries.selection import parts_of
from apps.analysis.repeats.levels import levels_of
from apps.analysis.repeats.repeat_kinds import RepeatKind, RepeatKinds, kinds_of
from apps.analysis.repeats.repeats import Repeats
from apps.analysis.repeats.representative import cases_of, nearest
from apps.analysis.repeats.selectors import repeats_of
from apps.analysis.result import (
    AnalysisResult,
    BasisItem,
    Column,
    Finding,
    Row,
    Table,
    Value,
    metric_column,
)
from apps.plans.domain.workload_labels import Labelled, names_with_tools
from apps.stats.spread import spread
from apps.tools.metrics import METRICS_BY_PRIORITY, in_order
from apps.tools.registry import measures_network
from apps.tools.workloads.order import name_key, operation_key, workload_order
from apps.tuning.domain.baseline import tuning_key

KEY = "medians"
TITLE = lazy("Medians of the repeats")
METRICS_SHOWN = in_order(METRICS_BY_PRIORITY[:4])
MAIN_METRICS = ("iops", "bandwidth")
MAX_BURST_NOTES = 5
"""Limit of notes on maxima that are bursts."""


def accepts(name: str) -> bool:
    """Return True if a query may contain this name."""
    return name in parts_of(KEY)


def parse_query(data: QueryDict) -> RunQuery:
    """Parse a query. Raises: ServiceError (400) for an invalid selection."""
    return parse_run_query(data, KEY)


def compute(query: RunQuery) -> AnalysisResult:
    """Return the medians of these runs. Raises: ServiceError (400) for too many results."""
    runs = query.runs()
    repeats = repeats_of([run.pk for run in runs], WINDOW_METRICS, within=query.within)
    if not len(repeats):
        text = _("No comparable results yet.")
        return AnalysisResult(KEY, str(TITLE), query.urlencode(), empty=text, links=run_links(runs))
    kinds = kinds_of(repeats, levels_of(repeats, ComparisonQuery()), "tuning")
    has_maxima = bool(np.isfinite(repeats.windows).any())
    rows, bursts = _rows(repeats, kinds, has_maxima=has_maxima)
    columns = _columns(kinds, has_maxima=has_maxima)
    return AnalysisResult(
        view=KEY,
        title=str(TITLE),
        query=query.urlencode(),
        headline=_headline(rows),
        tables=(Table("medians", str(TITLE), columns, tuple(rows), _note()),),
        notes=tuple(bursts[:MAX_BURST_NOTES]),
        basis=(BasisItem(_("Results"), f"{len(repeats):,}"),),
        links=run_links(runs),
    )


def _note() -> str:
    return _("Spread: the standard deviation of the first figure over its mean, of the repeats.")


def _columns(kinds: RepeatKinds, *, has_maxima: bool) -> tuple[Column, ...]:
    network = all(measures_network(kind.tool) for kind in kinds.found)
    return (
        Column("workload", _("Workload")),
        Column("operation", _("Operation"), spare=True),
        Column("where", _("Where"), spare=len({kind.where for kind in kinds.found}) < 2),
        Column("tuning", _("Tuning"), spare=len({kind.tuning for kind in kinds.found}) < 2),
        Column("repeats", _("Repeats"), "number", spare=True),
        *(
            replace(metric_column(metric, network=network), spare=metric not in MAIN_METRICS)
            for metric in METRICS_SHOWN
        ),
        *(metric_column(metric, network=network) for metric in MAX_METRICS if has_maxima),
        *([Column("windows", _("Windows"))] if has_maxima else []),
        Column("spread", _("Spread"), "number", "%"),
    )


def _rows(repeats: Repeats, kinds: RepeatKinds, *, has_maxima: bool) -> tuple[list[Row], list[str]]:
    """Return the rows, and notes on maxima that are bursts."""
    labels = names_with_tools({
        kind.point: Labelled(kind.tool, kind.params, repeats.points[kind.point].label)
        for kind in kinds.found
    })  # fmt: skip
    kinds_by_row: dict[tuple[int, str, str, str], list[RepeatKind]] = {}
    for kind in sorted(kinds.found, key=_order):
        key = (kind.point, kind.operation, kind.where, kind.tuning)
        kinds_by_row.setdefault(key, []).append(kind)
    result = {key: kinds.rows(here) for key, here in kinds_by_row.items()}
    cases = cases_of({
        int(repeats.measurement[rows[nearest(repeats.metric("iops")[rows])]])
        for rows in result.values()
    })  # fmt: skip
    table_rows, bursts = [], []
    for (point, operation, where, tuning), rows in result.items():
        spreads = {metric: spread(repeats.metric(metric)[rows]) for metric in METRICS_SHOWN}
        first = next((one for one in spreads.values() if one.n), None)
        nearest_measurement = int(repeats.measurement[rows[nearest(repeats.metric("iops")[rows])]])
        cells: tuple[Value, ...] = (
            labels[point],
            *(operation, where, tuning, len(rows)),
            *(spreads[metric].median for metric in METRICS_SHOWN),
            *(maxima_cells(repeats, rows) if has_maxima else ()),
            round(first.cv * 100, 2) if first and first.cv is not None else None,
        )  # fmt: skip
        table_rows.append(Row(cells, cases.get(nearest_measurement)))
        if has_maxima and (burst := burst_of(repeats, rows)):
            text = _("{workload} {operation}, maximum: {meaning}")
            values = {"workload": labels[point], "operation": operation, "meaning": burst}
            bursts.append(text.format(**values))
    return table_rows, bursts


def _order(kind: RepeatKind) -> tuple[object, ...]:
    return (
        workload_order(kind.tool, kind.params), operation_key(kind.tool, kind.operation),
        name_key(kind.where), tuning_key(kind.tuning),
    )  # fmt: skip


def _headline(rows: list[Row]) -> tuple[Finding, ...]:
    """Return the spread of repeats, which limits the detectable difference."""
    spreads = [float(row.cells[-1]) for row in rows if isinstance(row.cells[-1], int | float)]
    if not spreads:
        return ()
    text = _("The repeats of a test vary by {least:.1f} to {most:.1f} % (standard deviation).")
    return (Finding(text.format(least=min(spreads), most=max(spreads))),)


__all__ = ["KEY", "TITLE", "accepts", "compute", "parse_query"]
