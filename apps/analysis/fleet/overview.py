"""Overview of the fleet: every measured disk at the standard tests, beside its siblings."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.analysis.fleet.result import RankedTarget, fleet_of
from apps.analysis.fleet.selectors import fleet_read, standard_results
from apps.common.cache import cached
from apps.common.domain.value_format import format_change, format_metric
from apps.plans.selectors.workload_names import workload_name
from apps.tools.metrics import METRICS, METRICS_BY_PRIORITY
from apps.tools.registry import TOOLS, accesses_at_random, role_of
from apps.tools.values import Parameters
from apps.tools.workloads.order import name_key

TEMPLATE = "standard-four"
"""Plan template of the standard tests."""
IOPS, BANDWIDTH, TAIL_LATENCY = METRICS_BY_PRIORITY[:3]
PATTERN = ("operation", "block")
"""Roles of the parameters that a standard test has in common with its plan template."""
OUTLIER_RANK = 1000.0
"""Added to the loss of an outlier, which comes before all other disks."""


@dataclass(frozen=True)
class FleetColumn:
    """A metric at a standard test.

    `workload`, `name`: key and name of the one that most disks were measured with.
    """

    key: str
    title: str
    metric: str
    workload: str = ""
    name: str = ""
    operation: str = ""
    tuning: str = ""


@dataclass(frozen=True)
class FleetCell:
    """A disk's median. `change`: against its siblings; `kind`: "worse" or "better" if far away."""

    text: str = ""
    change: str = ""
    kind: str = ""
    case: int | None = None


@dataclass
class DiskRow:
    """A disk with a cell for each column. `badness`: how much worse than its siblings it is."""

    disk: int
    name: str
    model: str
    cells: dict[str, FleetCell] = field(default_factory=dict)
    badness: float = 0.0


@dataclass(frozen=True)
class FleetOverview:
    """Columns that were measured, and rows, the worst first."""

    columns: list[FleetColumn]
    rows: list[DiskRow]

    @property
    def table(self) -> list[tuple[DiskRow, list[FleetCell]]]:
        """The rows with their cells in the order of the columns."""
        return [
            (row, [row.cells.get(column.key, FleetCell()) for column in self.columns])
            for row in self.rows
        ]


def standard_tool() -> str:
    """Return the tool that has the standard plan."""
    return next(name for name, plugin in TOOLS.items() if TEMPLATE in plugin.templates)


def standard_tests() -> list[tuple[str, Parameters, tuple[str, ...]]]:
    """Return name, common parameters and metrics of the tests of the standard plan."""
    tool = standard_tool()
    plugin = TOOLS[tool]
    tests: list[tuple[str, Parameters, tuple[str, ...]]] = []
    for step in plugin.templates[TEMPLATE].steps:
        params = plugin.params.from_raw(step.params).canonical() if plugin.params else {}
        pattern = {key: value for key, value in params.items() if role_of(tool, key) in PATTERN}
        is_random = accesses_at_random(tool, pattern)
        metrics = (IOPS, TAIL_LATENCY) if is_random else (BANDWIDTH,)
        tests.append((step.name, pattern, metrics))
    return tests


def fleet_overview() -> FleetOverview:
    """Return every disk that was measured at a standard test, the worst of its siblings first.

    Cached, since it reads all results of the standard tests.
    """
    return cached("fleet overview", "", FleetOverview, _overview)


def _overview() -> FleetOverview:
    columns: list[FleetColumn] = []
    rows: dict[int, DiskRow] = {}
    for number, (name, pattern, metrics) in enumerate(standard_tests()):
        workload, results = standard_results(standard_tool(), pattern)
        if workload is None:
            continue
        operation = results.order_by("-measured_at").values_list("operation", flat=True)[0]
        for metric in metrics:
            read = fleet_read(results, metric=metric, operation=operation, by="model")
            pattern_text = _(name.rpartition(", ")[2])
            title = f"{_(METRICS[metric].head)}, {pattern_text}"
            column = FleetColumn(
                f"{number}-{metric}", title, metric, workload.key, workload_name(workload),
                operation, read.tuning,
            )  # fmt: skip
            better = METRICS[metric].higher_is_better
            for placed in fleet_of(read.targets, higher_is_better=better).targets:
                _add(rows, column, placed)
            columns.append(column)
    ordered = sorted(rows.values(), key=lambda row: (-row.badness, name_key(row.name)))
    shown = [column for column in columns if any(column.key in row.cells for row in ordered)]
    return FleetOverview(sorted(shown, key=_column_key), ordered)


def _column_key(column: FleetColumn) -> tuple[int, str]:
    """Return the order: IOPS, then throughput, then latency."""
    return ((IOPS, BANDWIDTH, TAIL_LATENCY).index(column.metric), column.key)


def _add(rows: dict[int, DiskRow], column: FleetColumn, placed: RankedTarget) -> None:
    own = placed.target
    if own.target is None:
        return
    row = rows.setdefault(own.target, DiskRow(own.target, own.name, own.model))
    higher_is_better = METRICS[column.metric].higher_is_better is not False
    ratio = placed.ratio or 1.0
    loss = 1 / ratio - 1 if higher_is_better else ratio - 1
    kind = ("worse" if loss > 0 else "better") if placed.is_outlier else ""
    row.cells[column.key] = FleetCell(
        format_metric(column.metric, own.median),
        format_change(ratio) if placed.peers else "",
        kind,
        own.case,
    )
    row.badness = max(row.badness, loss + (OUTLIER_RANK if kind == "worse" else 0.0))


__all__ = ["FleetOverview", "fleet_overview", "standard_tests"]
