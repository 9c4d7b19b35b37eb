"""Bulk insert with PostgreSQL's COPY."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from apps.common.schemas.storable import cleaned


def keys_taken(model: type[models.Model], number: int) -> list[int]:
    """Return new primary keys of a table from its sequence."""
    if not number:
        return []
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [f'"{table}"', column, number],
        )
        return [key for (key,) in cursor.fetchall()]


def rows_copy(
    model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows of these columns (`attname` of fields) within the open transaction.

    The values must be complete: no primary keys or defaults are generated.
    """
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    statement = f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN'
    # Django converts psycopg's errors for statements only.
    wrapped = connection.wrap_database_errors
    with wrapped, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([_prepared(*pair) for pair in zip(fields, row, strict=True)])


def _prepared(field: models.Field[Any, Any], value: Any) -> object:
    """Return a value for psycopg: JSON without text that PostgreSQL rejects, lists as lists."""
    if value is None:
        return None
    if isinstance(field, models.JSONField):
        return field.get_db_prep_save(cleaned(value), connection)
    if isinstance(field, models.TextField):
        return field.get_prep_value(value)
    return list(value) if isinstance(field, ArrayField) else value
