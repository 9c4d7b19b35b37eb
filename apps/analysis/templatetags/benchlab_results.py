"""Answers on pages: `{% load benchlab_results %}`."""

from __future__ import annotations

from collections.abc import Iterator

from django import template

from apps.analysis.presenters.formats import offered_formats
from apps.analysis.presenters.text import cell_text
from apps.analysis.result import Column, Row, Table, Value

register = template.Library()
MAX_ROWS = 300
"""Rows of a table on a page: a browser takes seconds for thousands. Exports have all of them."""


@register.filter
def cells(table: Table, row: Row) -> Iterator[tuple[Column, str, Value]]:
    """A row's cells: the column, the text, the value."""
    for column, value in zip(table.columns, row.cells, strict=True):
        yield column, cell_text(column, value), value


@register.filter
def first_rows(table: Table) -> tuple[Row, ...]:
    """The rows that a page shows."""
    return tuple(table.rows[:MAX_ROWS])


@register.filter
def px(height: int) -> str:
    """A height as CSS."""
    return f"{height}px"


@register.simple_tag
def export_formats() -> list[tuple[str, str]]:
    """The formats in which answers are taken along, with their names."""
    return offered_formats()
