"""Report tables of a run with steady-state rounds, in the format of SNIA PTS.

Cells are averages over the measurement window, block sizes down, mixes (step names) across. A
latency test has a second table of the maximum latency in the window.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from apps.analysis.steady_state.selectors import figures_of
from apps.common.domain.charts import Scale, scale_for
from apps.plans.schemas.steady_state import Metric
from apps.runs.models import Case, Purpose, Run
from apps.tools.metrics import METRICS
from apps.tools.param_values import format_size
from apps.tools.registry import param_with
from apps.tuning.domain.baseline import tuning_label

Cells = dict[tuple[str, int], list[float]]


@dataclass(frozen=True)
class ReportTable:
    """Table of one target under one tuning; `rows`: a block size and its cells.

    `largest`: cells are maxima over the window, not averages.
    """

    metric: str
    largest: bool
    target: str
    tuning: str
    unit: str
    columns: list[str]
    rows: list[tuple[str, list[str]]]


def report_tables(run: Run, metric: Metric) -> list[ReportTable]:
    """Return tables for each target and tuning; empty if tests have no block size."""
    rows = run.cases.filter(purpose=Purpose.MEASURE)
    rows = rows.select_related("workload", "run_target", "run_tuning").order_by("sequence")
    cases = [case for case in rows if _block(case) is not None]
    metrics = (metric, "latency_max") if metric == "latency_mean" else (metric,)
    return [table for each in metrics for table in _tables(cases, each)]


def _tables(cases: list[Case], metric: str) -> list[ReportTable]:
    values = figures_of(cases, metric)
    result: dict[tuple[str, str], Cells] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        value, block = values.get(case.pk), _block(case)
        if value is not None and block is not None:
            cells = result[case.target_words, tuning_label(case.tuning_name)]
            cells[case.step_name or case.tool, block].append(value)
    return [_table(metric, *key, cells) for key, cells in result.items()]


def _table(metric: str, target: str, tuning: str, cells: Cells) -> ReportTable:
    largest = metric == "latency_max"
    shown = {
        key: max(values) if largest else sum(values) / len(values) for key, values in cells.items()
    }
    scale = scale_for(METRICS[metric].unit, shown.values())
    columns = list(dict.fromkeys(step for step, _block in shown))
    blocks = sorted({block for _step, block in shown}, reverse=True)
    rows = [
        (format_size(block), [_cell(shown.get((step, block)), scale) for step in columns])
        for block in blocks
    ]
    return ReportTable(metric, largest, target, tuning, scale.unit, columns, rows)


def _cell(value: float | None, scale: Scale) -> str:
    return "–" if value is None else f"{value / scale.factor:,.4g}"


def _block(case: Case) -> int | None:
    value = case.params.get(param_with(case.tool, "block"))
    return value if isinstance(value, int) else None
