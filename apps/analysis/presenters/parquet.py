"""A table of an result as Parquet: numbers in canonical units, texts as they are. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from apps.analysis.presenters.text import canonical_unit
from apps.analysis.result import Column, Table, Value
from apps.common.api.columnar import Cell, ExportField, parquet_pieces


def parquet(table: Table) -> Iterator[bytes]:
    """The file, in pieces."""
    fields = [_field(column) for column in table.columns]
    rows = [
        [_cell(column, value) for column, value in zip(table.columns, row.cells, strict=True)]
        for row in table.rows
    ]
    return parquet_pieces(fields, [rows])


def _field(column: Column) -> ExportField:
    if column.kind == "moment":
        return ExportField(column.key, "moment")
    return ExportField(column.key, "number" if column.is_number else "text", canonical_unit(column))


def _cell(column: Column, value: Value) -> Cell:
    """A number's column holds numbers alone; where a text stands in it nothing is known."""
    if value is None or value == "":
        return None
    if column.kind == "moment":
        return datetime.fromisoformat(str(value)).astimezone(UTC)
    if column.is_number:
        return float(value) if isinstance(value, int | float) else None
    return str(value)
