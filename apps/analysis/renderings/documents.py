"""An answer as data for programs: the members that the API promises. Pure. The serializers of
`apps.analysis.api` describe the same shapes for people; a test holds the two together.
"""

from __future__ import annotations

from typing import TypedDict

from apps.analysis.answers import Answer, Chart, Column, Link, Table, Value
from apps.analysis.renderings.words import canonical_unit
from apps.analysis.selection.document import document_of
from apps.common.charts import ChartFigure


class SaidDocument(TypedDict):
    verdict: str
    sentence: str


class ColumnDocument(TypedDict):
    key: str
    title: str
    kind: str
    unit: str
    metric: str


class TableDocument(TypedDict):
    key: str
    title: str
    columns: list[ColumnDocument]
    rows: list[list[Value]]
    cases: list[int | None]
    note: str


class FigureDocument(TypedDict):
    key: str
    title: str
    figure: ChartFigure


class FactDocument(TypedDict):
    name: str
    text: str


class LinkDocument(TypedDict):
    text: str
    address: str


class AnswerDocument(TypedDict):
    view: str
    title: str
    about: str
    query: str
    selection: dict[str, object]
    empty: str
    headline: str
    verdicts: list[SaidDocument]
    tables: list[TableDocument]
    figures: list[FigureDocument]
    notes: list[str]
    basis: list[FactDocument]
    next: list[LinkDocument]
    links: list[LinkDocument]


def answer_document(answer: Answer) -> AnswerDocument:
    """Headline, verdicts, tables, figures, basis, links; values in canonical units."""
    return {
        "view": answer.view,
        "title": answer.title,
        "about": answer.about,
        "query": answer.query,
        "selection": document_of(answer.view, answer.query),
        "empty": answer.empty,
        "headline": "\n".join(said.text for said in answer.headline),
        "verdicts": [
            {"verdict": said.kind.value, "sentence": said.text}
            for said in answer.headline
            if said.kind is not None
        ],
        "tables": [_table(table) for table in answer.tables],
        "figures": [_chart(chart) for chart in answer.charts],
        "notes": list(answer.notes),
        "basis": [{"name": fact.name, "text": fact.text} for fact in answer.basis],
        "next": [_link(link) for link in answer.advice],
        "links": [_link(link) for link in answer.links],
    }


def _table(table: Table) -> TableDocument:
    return {
        "key": table.key,
        "title": table.title,
        "columns": [_column(column) for column in table.columns],
        "rows": [list(row.cells) for row in table.rows],
        "cases": [row.case for row in table.rows],
        "note": table.note,
    }


def _column(column: Column) -> ColumnDocument:
    return {
        "key": column.key, "title": str(column.title), "kind": column.kind,
        "unit": canonical_unit(column), "metric": column.metric,
    }  # fmt: skip


def _chart(chart: Chart) -> FigureDocument:
    return {"key": chart.key, "title": str(chart.title), "figure": chart.figure}


def _link(link: Link) -> LinkDocument:
    return {"text": link.text, "address": link.address}
