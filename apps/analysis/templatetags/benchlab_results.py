"""Template tags of analysis results: `{% load benchlab_results %}`."""

from __future__ import annotations

from collections.abc import Iterator

from django import template

from apps.analysis.presenters.formats import offered_formats
from apps.analysis.presenters.table_cells import cell_text
from apps.analysis.result import Column, Row, Table, Value

register = template.Library()
MAX_ROWS = 300
"""Limit of table rows on a page, as browsers take seconds for thousands; exports have all."""


@register.filter
def cells(table: Table, row: Row) -> Iterator[tuple[Column, str, Value]]:
    """Yield the column, text and value of a row's cells."""
    for column, value in zip(table.columns, row.cells, strict=True):
        yield column, cell_text(column, value), value


@register.filter
def first_rows(table: Table) -> tuple[Row, ...]:
    """Return the rows that a page shows."""
    return tuple(table.rows[:MAX_ROWS])


@register.filter
def px(height: int) -> str:
    """Return a height as CSS."""
    return f"{height}px"


@register.simple_tag
def export_formats() -> list[tuple[str, str]]:
    """Return the export formats and their names."""
    return offered_formats()
