"""Analysis view "fleet": one workload on many disks or hosts."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from apps.analysis.fleet.baselines import baseline_table, fleet_baselines, with_lines
from apps.analysis.fleet.figures import ranking_chart
from apps.analysis.fleet.filters import BY, FleetFilter
from apps.analysis.fleet.result import Fleet, RankedTarget, TargetResults, fleet_of
from apps.analysis.fleet.selectors import FleetRead, fleet_read
from apps.analysis.queries.summary_query import SummaryQuery
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
from apps.common.domain.units import significant
from apps.common.domain.verdicts import VerdictKind
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_name
from apps.results.selectors.baselines import BaselineValue
from apps.tools.metrics import METRICS
from apps.tools.registry import measures_network

KEY = "fleet"
TITLE = lazy("Fleet")
FILTER = FleetFilter
MAX_NAMED = 5
"""Limit of outliers named in sentences; the table has all."""
MAX_UNFOLDED = 60
"""Limit of targets above which the ranking is folded."""


def compute(query: SummaryQuery[FleetFilter]) -> AnalysisResult:
    """Return the ranking of all targets of a workload."""
    filterset = query.filterset
    workload: Workload | None = filterset.single_workload
    if workload is None:
        return AnalysisResult(KEY, str(TITLE), query.query, empty=_("Name a workload by its key."))
    chosen = choose_metric(filterset, workload)
    if chosen is None:
        text = _("No comparable result matches the query.")
        return AnalysisResult(KEY, str(TITLE), query.query, empty=text)
    read = fleet_read(
        filterset.qs, metric=chosen.metric, operation=chosen.operation, by=filterset.peer_property
    )
    better = METRICS[chosen.metric].higher_is_better
    fleet = fleet_of(read.targets, higher_is_better=better)
    baselines = fleet_baselines(fleet, workload, chosen.operation, chosen.metric)
    return _result(query, workload, chosen, read, fleet, baselines)


def _result(
    query: SummaryQuery[FleetFilter],
    workload: Workload,
    chosen: WorkloadMetric,
    read: FleetRead,
    fleet: Fleet,
    baselines: list[BaselineValue],
) -> AnalysisResult:
    metric, network = chosen.metric, measures_network(workload.tool)
    number = len(fleet.targets)
    text = ngettext("{metric} of {n} target", "{metric} of {n} targets", number)
    title = text.format(metric=_(METRICS[metric].label), n=f"{number:,}")
    across = _("Rank (1 = best)")
    figure = ranking_chart(fleet, metric=metric, across=across, network=network)
    figure = with_lines(figure, baselines, fleet, metric, network)
    tables = (
        _outliers(fleet, metric, network),
        baseline_table(baselines, fleet, metric, network),
        _groups(query, fleet, metric, network),
    )
    about = (workload_name(workload), chosen.operation, read.tuning)
    return AnalysisResult(
        view=KEY,
        title=title,
        query=query.query,
        subject=" · ".join(part for part in about if part),
        headline=tuple(_headline(fleet, metric)),
        charts=(Chart("ranking", title, title, figure),),
        tables=(*(table for table in tables if table.rows), _ranking(fleet, metric, network)),
        notes=tuple(_notes(read)),
        basis=(
            BasisItem(_("Targets"), f"{len(fleet.targets):,}"),
            BasisItem(_("Results"), f"{sum(len(one.target.values) for one in fleet.targets):,}"),
        ),
    )


def _notes(read: FleetRead) -> list[str]:
    lines = [_("Each target by the median of its newest run; lines from the least to the most.")]
    if read.others:
        text = _("Also measured under: {tunings}. Choose a tuning to see it.")
        lines.append(text.format(tunings=", ".join(read.others)))
    if read.other_windows:
        text = ngettext(
            "{n} result over windows of another length is left out.",
            "{n} results over windows of another length are left out.",
            read.other_windows,
        )
        lines.append(text.format(n=f"{read.other_windows:,}"))
    return lines


def _headline(fleet: Fleet, metric: str) -> list[Finding]:
    """Return the outliers, the farthest first; without outliers the range of the fleet."""
    outliers = fleet.outliers
    if outliers:
        lines = [_outlier_finding(one, metric) for one in outliers[:MAX_NAMED]]
        more = _("{n} more are far from their peers.").format(n=f"{len(outliers) - MAX_NAMED:,}")
        return [*lines, Finding(more)] if len(outliers) > MAX_NAMED else lines
    if len(fleet.targets) < 2:
        return [Finding(_("One target was measured like this: a fleet begins with two."))]
    values = [one.target.median for one in fleet.targets]
    if min(values) <= 0:
        return []
    text = _("No target is far from its peers; the largest is {percent} % above the smallest.")
    range_percent = significant((max(values) / min(values) - 1) * 100, digits=2)
    return [Finding(text.format(percent=range_percent))]


def _outlier_finding(one: RankedTarget, metric: str) -> Finding:
    ratio, of = one.ratio or 1.0, METRICS[metric]
    # xgettext:no-python-format
    higher = _("{name}: {metric} is {percent} % higher than that of its {n} peers.")
    # xgettext:no-python-format
    lower = _("{name}: {metric} is {percent} % lower than that of its {n} peers.")
    text = (higher if ratio > 1 else lower).format(
        name=_name_with_slot(one.target),
        metric=_(of.head),
        percent=significant(abs(ratio - 1) * 100, digits=2),
        n=one.peers,
    )
    if of.higher_is_better is None:
        return Finding(text)
    return Finding(
        text, VerdictKind.BETTER if (ratio > 1) == of.higher_is_better else VerdictKind.WORSE
    )


def _name_with_slot(target: TargetResults) -> str:
    """Return the target's name with its slot."""
    return f"{target.name} ({target.slot})" if target.slot else target.name


def _target_columns(metric: str, network: bool) -> tuple[Column, ...]:
    return (
        Column("name", _("Target")),
        metric_column(metric, title=_("Median"), name="median", network=network),
        Column("change", _("Relative to peers"), "ratio"),
        Column("siblings", _("Peers"), "number", spare=True),
        metric_column(metric, title=_("Minimum"), name="least", network=network),
        metric_column(metric, title=_("Maximum"), name="most", network=network),
        Column("repeats", _("Repeats"), "number", spare=True),
        Column("host", _("Host"), spare=True),
        Column("model", _("Model")),
        Column("firmware", _("Firmware")),
        Column("slot", _("Slot"), spare=True),
        Column("at", _("Measured"), "moment"),
    )


def _target_row(one: RankedTarget, *first: int) -> Row:
    own = one.target
    cells = (
        own.name, own.median, one.ratio, one.peers, min(own.values), max(own.values),
        len(own.values), own.host, own.model, own.firmware, own.slot, own.at.isoformat(),
    )  # fmt: skip
    return Row((cells[0], *first, *cells[1:]), own.case)


def _outliers(fleet: Fleet, metric: str, network: bool) -> Table:
    rows = tuple(_target_row(one) for one in fleet.outliers)
    note = _(
        "Farther from the median of their peers than equal targets are: of fleets without an"
        " outlier at most one in twenty has one here. Fewer than five peers are not judged."
    )
    return Table("outliers", _("Outliers"), _target_columns(metric, network), rows, note)


def _groups(query: SummaryQuery[FleetFilter], fleet: Fleet, metric: str, network: bool) -> Table:
    by = BY[query.filterset.peer_property]
    columns = (
        Column("group", str(by).capitalize()),
        Column("targets", _("Targets"), "number"),
        metric_column(metric, title=_("Minimum"), name="least", network=network),
        metric_column(metric, title=_("Median"), name="median", network=network),
        metric_column(metric, title=_("Maximum"), name="most", network=network),
        Column("outliers", _("Outliers"), "number"),
    )
    rows = [
        Row(
            (
                one.name or _("unknown"),
                one.targets,
                one.minimum,
                one.median,
                one.maximum,
                one.outliers,
            )
        )
        for one in fleet.groups
    ]
    title = _("By {what}").format(what=by)
    return Table("groups", title, columns, tuple(rows) if len(rows) > 1 else ())


def _ranking(fleet: Fleet, metric: str, network: bool) -> Table:
    name, *rest = _target_columns(metric, network)
    columns = (name, Column("rank", _("Rank"), "number"), *rest)
    rows = tuple(_target_row(one, rank) for rank, one in enumerate(fleet.targets, 1))
    return Table("ranking", _("Ranking"), columns, rows, folded=len(rows) > MAX_UNFOLDED)


__all__ = ["FILTER", "KEY", "TITLE", "compute"]
