"""Table of a result as Parquet: numbers in canonical units. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from apps.analysis.presenters.table_cells import canonical_unit
from apps.analysis.result import Column, Table, Value
from apps.common.api.columnar import Cell, ExportField, parquet_pieces


def parquet(table: Table) -> Iterator[bytes]:
    """Return the file in chunks."""
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
    """Return a cell of the column's type; text in a number column is None."""
    if value is None or value == "":
        return None
    if column.kind == "moment":
        return datetime.fromisoformat(str(value)).astimezone(UTC)
    if column.is_number:
        return float(value) if isinstance(value, int | float) else None
    return str(value)
