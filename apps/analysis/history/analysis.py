"""Analysis view "history": one workload over time."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from apps.analysis.history.baselines import (
    baseline_findings,
    baseline_tables,
    history_baselines,
    with_lines,
)
from apps.analysis.history.change_text import (
    cause_text,
    change_point_finding,
    kind_of,
    no_change_text,
)
from apps.analysis.history.figures import history_chart
from apps.analysis.history.readings import PROPERTIES
from apps.analysis.history.result import History, Level
from apps.analysis.history.selectors import history_read
from apps.analysis.queries.summary_query import SummaryQuery, empty_result
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workload_metric import WorkloadMetric, choose_metric
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
from apps.common.domain.value_format import format_change
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_name
from apps.results.selectors.baselines import BaselineValue
from apps.tools.metrics import METRICS
from apps.tools.registry import measures_network

KEY = "history"
TITLE = lazy("History")
FILTER = WorkloadFilter
MAX_FINDINGS = 12
"""Limit of findings in the headline: a workload of a whole lab has a thousand levels."""


def compute(query: SummaryQuery[WorkloadFilter]) -> AnalysisResult:
    """Return the history of a workload."""
    filterset = query.filterset
    workload: Workload | None = filterset.single_workload
    if workload is None:
        return empty_result(KEY, TITLE, query, _("Name a workload by its key."))
    chosen = choose_metric(filterset, workload)
    if chosen is None:
        return empty_result(KEY, TITLE, query, _("No comparable result matches the query."))
    history = history_read(filterset.qs, metric=chosen.metric, operation=chosen.operation)
    baselines = history_baselines(filterset.qs, workload, chosen)
    return _result(query, workload, chosen, history, baselines)


def _result(
    query: SummaryQuery[WorkloadFilter],
    workload: Workload,
    chosen: WorkloadMetric,
    history: History,
    baselines: list[BaselineValue],
) -> AnalysisResult:
    network = measures_network(workload.tool)
    figure = with_lines(
        history_chart(history, metric=chosen.metric, network=network),
        *(baselines, history, chosen.metric, network),
    )
    title = _("{metric} over time").format(metric=_(METRICS[chosen.metric].label))
    return AnalysisResult(
        view=KEY,
        title=title,
        query=query.query,
        subject=f"{workload_name(workload)} · {chosen.operation}",
        headline=(
            *headline(history, chosen.metric, network),
            *baseline_findings(baselines, history),
        ),
        charts=(Chart("time", title, title, figure),),
        tables=(
            _levels(history, chosen.metric, network),
            change_points_table(history, chosen.metric, network),
            *baseline_tables(baselines, history, chosen.metric, network),
            _changes(history),
            _readings(history, chosen.metric, network),
        ),
        notes=(_("There are older results than these."),) if history.more else (),
        basis=(BasisItem(_("Results"), f"{len(history.readings):,}"),),
    )


def headline(history: History, metric: str, network: bool) -> list[Finding]:
    """Return the newest change of each level; for levels without change the last run.

    With many levels only changed ones have a finding each.
    """
    findings = [
        (level.label, finding)
        for level in history.levels
        if (finding := _level_finding(history, level, metric, network)) is not None
    ]
    if history.levels and not findings:
        return [Finding(_("Measured in one run so far; there is no earlier run to compare with."))]
    if len(findings) <= MAX_FINDINGS:
        return [finding for _label, finding in findings]
    changed = {point.level for point in history.change_points}
    first = [finding for label, finding in findings if label in changed][:MAX_FINDINGS]
    unchanged = sum(label not in changed for label, _finding in findings)
    text = ngettext(
        "No change in {n} line: the table of tunings has all.",
        "No change in {n} lines: the table of tunings has all.",
        unchanged,
    )
    more = len(findings) - unchanged - len(first)
    further = ngettext("{n} further line changed.", "{n} further lines changed.", more)
    return [
        *first,
        *([Finding(further.format(n=f"{more:,}"))] if more else []),
        *([Finding(text.format(n=f"{unchanged:,}"))] if unchanged else []),
    ]


def _level_finding(history: History, level: Level, metric: str, network: bool) -> Finding | None:
    newest = next(
        (point for point in reversed(history.change_points) if point.level == level.label), None
    )
    if newest:
        return change_point_finding(newest, metric, network=network)
    if level.latest is None:
        return None
    text = _("The last one is at {change} of those before.")
    return Finding(f"{no_change_text(level)} {text.format(change=format_change(level.latest))}")


def change_points_table(history: History, metric: str, network: bool) -> Table:
    """Return every change of the medians, the newest first."""
    columns = (
        Column("at", _("Since"), "moment"),
        Column("tuning", _("Effective tuning")),
        Column("verdict", _("Verdict"), "verdict"),
        Column("change", _("Change"), "ratio"),
        metric_column(metric, title=_("Before"), name="before", network=network),
        metric_column(metric, title=_("After"), name="after", network=network),
        Column("runs_before", _("Runs before"), "number", spare=True),
        Column("runs_after", _("Runs after"), "number", spare=True),
        Column("cause", _("At the same time")),
    )
    rows = [
        Row((
            point.at.isoformat(), point.level, kind_of(point, metric), point.ratio,
            point.before.median, point.after.median, point.before.runs, point.after.runs,
            cause_text(point),
        ))
        for point in reversed(history.change_points)
    ]  # fmt: skip
    note = _(
        "Medians of runs that went from one level to another. Of series of a year without a"
        " change, tested after every run, at most one in twenty is called changed."
    )
    return Table("change_points", _("Where it changed"), columns, tuple(rows), note)


def _levels(history: History, metric: str, network: bool) -> Table:
    columns = (
        Column("tuning", _("Effective tuning")),
        Column("results", _("Results"), "number"),
        Column("runs", _("Runs"), "number"),
        metric_column(metric, title=_("Median of all"), name="median", network=network),
        metric_column(metric, title=_("Last run"), name="last", network=network),
        Column("change", _("Against the runs before"), "ratio"),
        Column("at", _("Measured last"), "moment"),
    )
    rows = [
        Row((
            level.label, len(level.readings), len(level.runs), level.median,
            level.runs[-1].value, level.latest, level.runs[-1].at.isoformat(),
        ))
        for level in history.levels
    ]  # fmt: skip
    return Table("levels", _("By tuning"), columns, tuple(rows))


def _changes(history: History) -> Table:
    columns = (
        Column("at", _("First result"), "moment"),
        Column("where", _("Where")),
        Column("what", _("What")),
        Column("before", _("Before")),
        Column("after", _("After")),
    )
    rows = [
        Row((
            mark.at.isoformat(), mark.target, str(PROPERTIES[mark.what]), mark.before, mark.after
        ))
        for mark in history.marks
    ]  # fmt: skip
    return Table("changes", _("Configuration changes"), columns, tuple(rows))


def _readings(history: History, metric: str, network: bool) -> Table:
    columns = (
        Column("at", _("When"), "moment"),
        metric_column(metric, network=network),
        Column("tuning", _("Effective tuning")),
        Column("target", _("Target")),
        Column("run", _("Run"), "number"),
    )
    rows = [
        Row((one.at.isoformat(), one.value, one.level, one.target, one.run), one.case)
        for one in history.readings
    ]
    return Table("readings", _("Every result"), columns, tuple(rows), folded=True)


__all__ = ["FILTER", "KEY", "TITLE", "change_points_table", "compute", "headline"]
