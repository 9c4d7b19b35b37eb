"""Baselines of a history: chart lines, findings, table."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.analysis.history.result import History
from apps.analysis.queries.workload_metric import WorkloadMetric
from apps.analysis.result import Column, Finding, Row, Table, metric_column
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.common.domain.value_format import format_change
from apps.plans.models import Workload
from apps.results.models import ResultSummary
from apps.results.selectors.baselines import BaselineValue, baseline_values, baselines_of
from apps.tools.metrics import shown_unit

MAX_BASELINES = 4
"""Limit of baselines on a chart."""
MAX_TARGETS = 20
"""Limit of targets of a history above which their baselines are not queried."""


def history_baselines(
    rows: QuerySet[ResultSummary], workload: Workload, chosen: WorkloadMetric
) -> list[BaselineValue]:
    """Return the baselines of the targets of a history."""
    keys = rows.filter(operation=chosen.operation).order_by().values_list("target", flat=True)
    targets = [key for key in keys.distinct()[: MAX_TARGETS + 1] if key is not None]
    if not targets or len(targets) > MAX_TARGETS:
        return []
    result = baselines_of(targets)[:MAX_BASELINES]
    return baseline_values(
        result, workload=workload, operation=chosen.operation, metric=chosen.metric
    )


def with_lines(
    chart: ChartFigure,
    result: Sequence[BaselineValue],
    history: History,
    metric: str,
    network: bool,
) -> ChartFigure:
    """Add a dashed line to the chart for each baseline."""
    unit = shown_unit(metric, network=network)
    scale = charts.scale_for(unit, [reading.value for reading in history.readings])
    for one in result:
        line, text = charts.reference_line(scale.of([one.value])[0], one.baseline.name)
        chart["layout"]["shapes"].append(line)
        chart["layout"]["annotations"].append(text)
    return chart


def baseline_findings(result: Sequence[BaselineValue], history: History) -> list[Finding]:
    """Return findings about the last run of each level against each baseline."""
    text = _("{level}: the last run is at {change} of the baseline “{name}”.")
    return [
        Finding(
            text.format(
                level=level.label, change=_change(one, level.runs[-1].value), name=one.label
            )
        )
        for one in result
        for level in history.levels
    ]


def _change(one: BaselineValue, value: float) -> str:
    return format_change(value / one.value) if one.value else "–"


def baseline_tables(
    result: Sequence[BaselineValue], history: History, metric: str, network: bool
) -> list[Table]:
    """Return the last run of each level beside each baseline; no table without baselines."""
    if not result:
        return []
    columns = (
        Column("baseline", _("Baseline")),
        Column("run", _("Run"), "number", spare=True),
        metric_column(metric, title=_("Baseline's median"), name="value", network=network),
        Column("tuning", _("Effective tuning")),
        metric_column(metric, title=_("Last run"), name="last", network=network),
        Column("change", _("Against the baseline"), "ratio"),
    )
    rows = [
        Row((
            one.label, one.baseline.run_id, one.value, level.label, level.runs[-1].value,
            level.runs[-1].value / one.value if one.value else None,
        ))
        for one in result
        for level in history.levels
    ]  # fmt: skip
    return [Table("baselines", _("Against baselines"), columns, tuple(rows))]
