"""An answer as data for programs: the members that the API promises. Pure."""

from __future__ import annotations

from typing import Any

from apps.analysis.answers import Answer, Chart, Link, Table
from apps.analysis.renderings.words import canonical_unit


def answer_data(answer: Answer) -> dict[str, Any]:
    """Headline, verdicts, tables, figures, basis, links; values in canonical units."""
    return {
        "view": answer.view,
        "title": answer.title,
        "about": answer.about,
        "query": answer.query,
        "empty": answer.empty,
        "headline": " ".join(said.text for said in answer.headline),
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


def _table(table: Table) -> dict[str, Any]:
    return {
        "key": table.key,
        "title": table.title,
        "columns": [
            {
                "key": column.key, "title": str(column.title), "kind": column.kind,
                "unit": canonical_unit(column), "metric": column.metric,
            }
            for column in table.columns
        ],
        "rows": [list(row.cells) for row in table.rows],
        "cases": [row.case for row in table.rows],
        "note": table.note,
    }  # fmt: skip


def _chart(chart: Chart) -> dict[str, Any]:
    return {"key": chart.key, "title": str(chart.title), "figure": chart.figure}


def _link(link: Link) -> dict[str, str]:
    return {"text": link.text, "address": link.address}
