"""Results of analysis views: computed once, rendered by pages, API, exports, reports and terminal.

Table values are in canonical units (bytes/s, operations/s, ns, bytes, percent).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from apps.common.domain.charts import ChartFigure
from apps.common.domain.verdicts import VerdictKind
from apps.tools.metrics import METRICS, shown_unit

Value = str | int | float | None
CellKind = Literal["text", "metric", "number", "ratio", "chance", "verdict", "moment"]
"""Kinds of a column.

Text; a metric's value; another number; a ratio, shown as a change; a p-value; a `VerdictKind`; a
time in ISO 8601.
"""


@dataclass(frozen=True)
class Column:
    """Column of a table.

    `unit`: canonical, for a metric its own ("network" for network rates). `metric`: empty for a
    latency without a metric, such as p99.95. `spare`: hidden on narrow screens.
    """

    key: str
    title: str
    kind: CellKind = "text"
    unit: str = ""
    metric: str = ""
    spare: bool = False

    @property
    def is_number(self) -> bool:
        return self.kind in ("metric", "number", "ratio", "chance")


def metric_column(key: str, *, title: str = "", name: str = "", network: bool = False) -> Column:
    """Return a column of a metric's values.

    `title` replaces its label; `name` is unique if a table has several columns of the metric.
    """
    label = title or _(METRICS[key].head)
    return Column(name or key, label, "metric", shown_unit(key, network=network), key)


@dataclass(frozen=True)
class Row:
    """Row of a table; `case`: the case that the row links to."""

    cells: tuple[Value, ...]
    case: int | None = None


@dataclass(frozen=True)
class Table:
    """Table of a result.

    `key` is its name in URLs and files; `note` explains it; a `folded` table is collapsed on pages.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    folded: bool = False

    @property
    def cells(self) -> list[tuple[Value, ...]]:
        return [row.cells for row in self.rows]

    @property
    def cases(self) -> list[int | None]:
        return [row.case for row in self.rows]

    def column(self, key: str) -> list[Value]:
        """Return the values of a column."""
        index = [column.key for column in self.columns].index(key)
        return [row.cells[index] for row in self.rows]


@dataclass(frozen=True)
class Chart:
    """Plotly figure.

    `label`: description for screen readers; `height` in px. With `zoom` a page requests more detail
    for a selected range.
    """

    key: str
    title: str
    label: str
    figure: ChartFigure
    height: int = 420
    library: Literal["cartesian", "gl3d"] = "cartesian"
    zoom: bool = False


@dataclass(frozen=True)
class Finding:
    """Sentence, with a verdict if it has one."""

    text: str
    kind: VerdictKind | None = None


@dataclass(frozen=True)
class Link:
    """URL path of benchlab, without a host."""

    text: str
    address: str


@dataclass(frozen=True)
class BasisItem:
    """Fact about data and method: "Results used", "48"."""

    name: str
    text: str


@dataclass(frozen=True)
class AnalysisResult:
    """Result of an analysis view.

    `view`: key of the view; `query`: canonical query; `subject`: properties that all results share.
    `headline`: findings, most important first; `empty`: reason for an empty result. `conditions`:
    of a frozen report's results.
    """

    view: str
    title: str
    query: str
    subject: str = ""
    headline: tuple[Finding, ...] = ()
    next_steps: tuple[Link, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    basis: tuple[BasisItem, ...] = ()
    links: tuple[Link, ...] = ()
    empty: str = ""
    conditions: tuple[BasisItem, ...] = ()

    @property
    def headline_text(self) -> str:
        return "\n".join(finding.text for finding in self.headline)

    @property
    def verdicts(self) -> list[Finding]:
        """Return the findings with a verdict."""
        return [finding for finding in self.headline if finding.kind is not None]

    def table(self, key: str) -> Table | None:
        """Return the table of this key."""
        return next((table for table in self.tables if table.key == key), None)


def filled(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """Return columns and rows without empty columns."""
    used = [
        index
        for index, column in enumerate(columns)
        if any(row.cells[index] not in (None, "") for row in rows)
    ]
    return (
        [columns[index] for index in used],
        [Row(tuple(row.cells[index] for index in used), row.case) for row in rows],
    )
