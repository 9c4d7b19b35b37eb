"""Answers of views: computed once; pages, the API, exports, reports and terminals render them and
compute nothing.

Values in tables are in canonical units (bytes/s, operations/s, ns, bytes, percent), so that a
program reads what is stored, and a page converts.
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
"""Kinds of a column: text; a metric's value; another number; the ratio of two figures, shown as a
change; a p-value; a `VerdictKind`; a time in ISO 8601.
"""


@dataclass(frozen=True)
class Column:
    """`unit`: canonical, of a metric its own ("network" where its rate is a network's). `metric`:
    empty of a latency that no metric is, such as p99.95. `spare`:
    what a telephone leaves out first.
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
    """A column of one metric's values; `title` where its label does not say enough, `name` where a
    table has several columns of the metric.
    """
    label = title or _(METRICS[key].head)
    return Column(name or key, label, "metric", shown_unit(key, network=network), key)


@dataclass(frozen=True)
class Row:
    """`case`: the one that the row leads to."""

    cells: tuple[Value, ...]
    case: int | None = None


@dataclass(frozen=True)
class Table:
    """`key` names it in addresses and files; `note` says how to read it. `folded`: a page shows it
    when it is opened.
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
        """The values of a column."""
        place = [column.key for column in self.columns].index(key)
        return [row.cells[place] for row in self.rows]


@dataclass(frozen=True)
class Chart:
    """A Plotly figure. `label`: what it shows, for screen readers; `height` in px. `zoom`: a part
    of its axis, chosen on a page, is asked for again with more detail.
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
    """A sentence, with its verdict where it has one."""

    text: str
    kind: VerdictKind | None = None


@dataclass(frozen=True)
class Link:
    """An address of benchlab's own: absolute, without a host."""

    text: str
    address: str


@dataclass(frozen=True)
class BasisItem:
    """A fact that an answer rests on: "Results used", "48"."""

    name: str
    text: str


@dataclass(frozen=True)
class AnalysisResult:
    """`view`: the room's name; `query`: the question in its one order; `about`: what all of it has
    in common. `headline`: what a reader wants to know, most important first; `empty` where there is
    nothing to show, as a sentence that says why. `advice`: what to do next. `conditions`: those of
    its figures, as a frozen report keeps them.
    """

    view: str
    title: str
    query: str
    about: str = ""
    headline: tuple[Finding, ...] = ()
    advice: tuple[Link, ...] = ()
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
        """Sentences of the headline that have a verdict."""
        return [finding for finding in self.headline if finding.kind is not None]

    def table(self, key: str) -> Table | None:
        """The table of this name."""
        return next((table for table in self.tables if table.key == key), None)


def filled(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """Without the columns in which no row says anything."""
    kept = [
        place
        for place, column in enumerate(columns)
        if any(row.cells[place] not in (None, "") for row in rows)
    ]
    return (
        [columns[place] for place in kept],
        [Row(tuple(row.cells[place] for place in kept), row.case) for row in rows],
    )
