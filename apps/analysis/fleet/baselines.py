"""Baselines of a fleet's models and targets: table and chart lines."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.fleet.result import Fleet, RankedTarget
from apps.analysis.result import Column, Row, Table, metric_column
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.plans.models import Workload
from apps.results.selectors.baselines import BaselineValue, baseline_values, baselines_of
from apps.tools.metrics import shown_unit

MAX_BASELINES = 20
"""Limit of baselines, one query each: those of models first, then the newest of targets."""
MAX_UNFOLDED = 20
"""Limit of rows above which the table is folded."""
MAX_LINES = 3
"""Limit of model baselines on the chart."""


def fleet_baselines(
    fleet: Fleet, workload: Workload, operation: str, metric: str
) -> list[BaselineValue]:
    """Return the baselines of a fleet's targets and of their models."""
    targets = [one.target.target for one in fleet.targets if one.target.target is not None]
    result = sorted(baselines_of(targets), key=lambda one: (one.disk_model_id is None, -one.pk))
    return baseline_values(
        result[:MAX_BASELINES], workload=workload, operation=operation, metric=metric
    )


def with_lines(
    chart: ChartFigure, result: Sequence[BaselineValue], fleet: Fleet, metric: str, network: bool
) -> ChartFigure:
    """Add a dashed line to the chart for each baseline of a model."""
    highest = [max(one.target.values) for one in fleet.targets]
    scale = charts.scale_for(shown_unit(metric, network=network), highest)
    lines = [one for one in result if one.baseline.disk_model_id][:MAX_LINES]
    drawn = [charts.reference_line(scale.of([one.value])[0], one.label) for one in lines]
    shape = chart["layout"]
    shape["shapes"] = [*shape.get("shapes", ()), *(line for line, _text in drawn)]
    shape["annotations"] = [*shape.get("annotations", ()), *(text for _line, text in drawn)]
    return chart


def baseline_table(
    result: Sequence[BaselineValue], fleet: Fleet, metric: str, network: bool
) -> Table:
    """Return each target beside its baselines."""
    columns = (
        Column("name", _("Target")),
        metric_column(metric, title=_("Median"), name="median", network=network),
        Column("change", _("Against the baseline"), "ratio"),
        metric_column(metric, title=_("Baseline's median"), name="value", network=network),
        Column("baseline", _("Baseline")),
        Column("run", _("Run"), "number", spare=True),
    )
    rows = [
        Row(
            (
                placed.target.name, placed.target.median, _ratio(placed, one), one.value,
                one.label, one.baseline.run_id,
            ),
            placed.target.case,
        )
        for placed in fleet.targets
        for one in result
        if _applies_to(one, placed)
    ]  # fmt: skip
    note = _("The median of the newest run over the baseline's; no test of a difference.")
    return Table(
        "baselines", _("Against baselines"), columns, tuple(rows), note, len(rows) > MAX_UNFOLDED
    )


def _ratio(placed: RankedTarget, one: BaselineValue) -> float | None:
    return placed.target.median / one.value if one.value else None


def _applies_to(one: BaselineValue, placed: RankedTarget) -> bool:
    own = one.baseline
    if own.target_id is not None:
        return own.target_id == placed.target.target
    return str(own.disk_model) == placed.target.model
