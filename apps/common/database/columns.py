"""Database columns as numpy arrays, without a Python object per value.

Queries that aggregate with `array_agg` use the binary format, and the bytes of an array are read in
place. Layout: PostgreSQL, array_send (five words of header, then length and bytes of each element);
timestamptz is in microseconds since 2000.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
from django.contrib.postgres.aggregates import ArrayAgg
from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import F, FloatField, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.postgres import types
from psycopg.pq import Format

_HEADER = np.dtype([("dimensions", ">i4"), ("nulls", ">i4"), ("rest", ">i4", 3)])
_START = datetime(2000, 1, 1, tzinfo=UTC)


def column(name: str) -> ArrayAgg:
    """Return the aggregate of a column without NULL, for `rows_with_arrays`."""
    return ArrayAgg(name)


def figures(expression: str | Combinable) -> ArrayAgg:
    """Return the aggregate of floating point numbers, NaN for NULL."""
    result = F(expression) if isinstance(expression, str) else expression
    return ArrayAgg(Coalesce(result, Value(float("nan"), FloatField())))


def as_datetime(microseconds: int) -> datetime:
    """Return a timestamp of an array as a datetime."""
    return _START + timedelta(microseconds=microseconds)


def rows_with_arrays(rows: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a query of `values()` and aggregates, with numpy arrays.

    Raises: ValueError for an array with NULL.
    """
    try:
        sql, params = rows.query.get_compiler(rows.db).as_sql()
    except EmptyResultSet:
        return []
    return arrays_of(sql, params, rows.db)


def arrays_of(
    sql: str, params: Sequence[Any], using: str = DEFAULT_DB_ALIAS
) -> list[tuple[Any, ...]]:
    """Return the rows of an SQL statement, with numpy arrays."""
    connection = connections[using]
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        for kind, loader in _LOADERS.items():
            cursor.adapters.register_loader(types[kind].array_oid, loader)
        cursor.execute(sql, params, binary=True)
        return cursor.fetchall()


class _ArrayLoader(Loader):
    """Loader of arrays. `element`: dtype of the bytes; `result`: dtype of the result."""

    format = Format.BINARY
    element = ">i8"
    result: type = np.int64

    def load(self, data: Buffer) -> Any:
        header = np.frombuffer(data, _HEADER, 1)[0]
        layout = np.dtype([("length", ">i4"), ("value", self.element)])
        if not header["dimensions"]:
            return np.empty(0, self.result)
        if header["nulls"]:
            raise ValueError("a column that is read as an array holds NULL")
        return np.frombuffer(data, layout, offset=_HEADER.itemsize)["value"].astype(self.result)


class _Integers(_ArrayLoader):
    element = ">i4"


class _Floats(_ArrayLoader):
    element = ">f8"
    result = np.float64


class _Flags(_ArrayLoader):
    element = "?"
    result = np.bool_


_LOADERS: dict[str, type[Loader]] = {  # by the element type
    "int8": _ArrayLoader,
    "timestamptz": _ArrayLoader,
    "int4": _Integers,
    "float8": _Floats,
    "bool": _Flags,
}
