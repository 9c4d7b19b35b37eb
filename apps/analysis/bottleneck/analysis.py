"""Analysis view "bottleneck": share of disk, array and network limits that a test reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.bottleneck.components import BottleneckResult, Component
from apps.analysis.bottleneck.figures import MAX_TESTS_ON_CHART, bottleneck_bars, height_of
from apps.analysis.bottleneck.filters import BottleneckFilter
from apps.analysis.bottleneck.selectors import MAX_TESTS, bottlenecks
from apps.analysis.queries.summary_query import SummaryQuery, empty_result
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
from apps.common.domain.value_format import format_metric
from apps.tools.metrics import METRICS

KEY = "bottleneck"
TITLE = lazy("Bottleneck analysis")
FILTER = BottleneckFilter
COMPONENT_TEXTS = {
    "network": lazy("the network"),
    "array": lazy("the array's level"),
    "disks": lazy("the disks"),
    "other": lazy("none of them: processors, latency or too little load"),
    "": lazy("not known"),
}


def compute(query: SummaryQuery[BottleneckFilter]) -> AnalysisResult:
    """Compare the results on groups and pools with the results of their components."""
    if query.filterset.selection.names_nothing:
        return AnalysisResult(
            KEY,
            str(TITLE),
            query.query,
            empty=_("Name runs, tests, a workload, a host or a target."),
        )
    chosen = query.filterset.form.cleaned_data
    rows = query.filterset.qs
    if chosen["operation"]:
        rows = rows.filter(operation=chosen["operation"])
    tests, more = bottlenecks(rows, chosen["level"] or "")
    if not tests:
        text = _("None of these results that comparisons may use is of a group of disks or a pool.")
        return empty_result(KEY, TITLE, query, text)
    return _result(query, tests, more)


def _result(
    query: SummaryQuery[BottleneckFilter], tests: list[BottleneckResult], more: bool
) -> AnalysisResult:
    components = {part.name: part for one in tests for part in (*one.disks, *one.networks)}
    missing = sorted(name for name, part in components.items() if part.value is None)
    notes = [_("A disk's own figure is the best median it reached alone at the same load.")]
    if missing:
        text = _("No figure of their own, so their sum is not known: {names}. Measure each alone.")
        notes.append(text.format(names=", ".join(missing)))
    if more:
        notes.append(_("The first {n} tests; narrow the selection for others.").format(n=MAX_TESTS))
    return AnalysisResult(
        view=KEY,
        title=str(TITLE),
        query=query.query,
        headline=tuple(Finding(_component_text(one)) for one in tests[:3]),
        charts=tuple(_charts(tests)),
        tables=(*_tables(tests), _component_table(tests)),
        notes=tuple(notes),
        basis=(BasisItem(_("Tests"), f"{len(tests):,}"),),
    )


def _component_text(one: BottleneckResult) -> str:
    value = format_metric(one.metric, one.value)
    if one.share is None:
        text = _("{name}: {value}; its limit is unknown.")
        return text.format(name=one.name, value=value)
    # xgettext:no-python-format
    text = _("{name}: {value} is {share:.0f} % of the lowest limit ({ceiling}); bottleneck: {by}.")
    return text.format(
        name=one.name,
        value=value,
        share=100 * one.share,
        ceiling=format_metric(one.metric, one.ceiling),
        by=COMPONENT_TEXTS[one.bottleneck],
    )


def _charts(tests: Sequence[BottleneckResult]) -> list[Chart]:
    charts = []
    for metric in ("iops", "bandwidth"):
        own = [one for one in tests if one.metric == metric][:MAX_TESTS_ON_CHART]
        if own:
            title = _("Bottleneck analysis, {metric}").format(metric=_(METRICS[metric].label))
            label = _("Sum of the disks, array limit, sum of the network and measured value")
            charts.append(Chart(metric, title, label, bottleneck_bars(own), height_of(len(own))))
    return charts


def _tables(tests: Sequence[BottleneckResult]) -> list[Table]:
    tables = []
    for metric in ("iops", "bandwidth"):
        own = [one for one in tests if one.metric == metric]
        if own:
            title = _("Bottleneck analysis, {metric}").format(metric=_(METRICS[metric].label))
            rows = tuple(Row(_cells(one), one.case) for one in own)
            tables.append(Table(metric, title, _columns(metric), rows))
    return tables


def _columns(metric: str) -> tuple[Column, ...]:
    return (
        Column("name", _("Test")),
        Column("operation", _("Operation"), spare=True),
        Column("disks", _("Disks"), "number", spare=True),
        Column("level", _("Level"), spare=True),
        replace(metric_column(metric, title=_("Disks' sum"), name="disks_sum"), spare=True),
        replace(metric_column(metric, title=_("Array limit"), name="array"), spare=True),
        replace(metric_column(metric, title=_("Network's sum"), name="network"), spare=True),
        metric_column(metric, title=_("Measured"), name="measured"),
        Column("share", _("Share of limit"), "number", "%"),
        Column("bottleneck", _("Bottleneck")),
    )


def _cells(one: BottleneckResult) -> tuple[str | float | None, ...]:
    share = round(100 * one.share, 1) if one.share is not None else None
    return (
        *(one.name, one.operation, len(one.disks), one.level.label),
        *(one.disks_sum, one.array, one.network, one.value),
        *(share, str(COMPONENT_TEXTS[one.bottleneck])),
    )


def _component_table(tests: Sequence[BottleneckResult]) -> Table:
    columns = (
        Column("name", _("Disk or host")),
        Column("test", _("Part of"), spare=True),
        Column("array", _("Array behind it"), spare=True),
        metric_column("iops"),
        metric_column("bandwidth"),
        Column("source", _("Measured alone by")),
    )
    rows = [
        Row(_component_cells(part, one), part.case)
        for one in tests
        for part in (*one.disks, *one.networks)
    ]
    return Table("parts", _("What each does alone"), columns, tuple(rows), folded=len(rows) > 12)


def _component_cells(part: Component, one: BottleneckResult) -> tuple[str | float | None, ...]:
    rates = (part.value if one.metric == metric else None for metric in ("iops", "bandwidth"))
    source = part.source or _("not measured")
    return (part.name, f"{one.name} {one.operation}", part.array, *rates, source)


__all__ = ["FILTER", "KEY", "TITLE", "compute"]
