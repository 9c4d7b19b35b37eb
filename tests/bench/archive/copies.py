"""Rows made by one INSERT ... SELECT: as fast as COPY, and nothing passes through Python."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Field, Model
from django.db.models.fields import NOT_PROVIDED
from django.utils import timezone

# dice(n, seed): a number of [0, 1) that looks random and is the same each time.
DICE = """
CREATE OR REPLACE FUNCTION pg_temp.dice(n bigint, seed integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (hashint8extended($1, $2) & 1048575) / 1048576::double precision $$
"""


def run_sql(statement: str, values: tuple[Any, ...] | None = None) -> int:
    """Execute a statement; how many rows it wrote. A % stands for itself where there are no
    values.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def insert(model: type[Model], source: str, /, **columns: str) -> int:
    """A row for each of `source` (what follows FROM). `columns` are expressions by the names of
    columns; all others get the model's defaults.
    """
    fields: list[Field[Any, Any]] = [
        field
        for field in model._meta.concrete_fields
        if str(field.column) in columns or not field.primary_key
    ]
    if unknown := set(columns) - {str(field.column) for field in fields}:
        raise ValueError(f"{model.__name__} has no {', '.join(sorted(unknown))}")
    values: list[Any] = []
    chosen: list[str] = []
    for field in fields:
        if str(field.column) in columns:
            chosen.append(columns[str(field.column)])
        else:
            chosen.append(f"CAST(%s AS {field.cast_db_type(connection)})")
            values.append(_default(field))
    names = ", ".join(f'"{field.column}"' for field in fields)
    # A literal % of an expression must not look like a parameter.
    picked = ", ".join(
        text if text.startswith("CAST(%s") else text.replace("%", "%%") for text in chosen
    )
    return run_sql(
        f"INSERT INTO {model._meta.db_table} ({names}) SELECT {picked} "
        f"FROM {source.replace('%', '%%')}",
        tuple(values),
    )


def _default(field: Field[Any, Any]) -> Any:
    if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
        return timezone.now()
    if field.default is NOT_PROVIDED and not field.null and not field.empty_strings_allowed:
        raise ValueError(f"{field.model.__name__}.{field.column} has no default")
    return field.get_db_prep_save(field.get_default(), connection)


def next_key(*models: type[Model]) -> int:
    """A key above all rows of these models."""
    newest = [
        model._default_manager.order_by("-pk").values_list("pk", flat=True) for model in models
    ]
    return 1 + max((int(keys[0]) for keys in newest if keys), default=0)


def sequences_reset(*models: type[Model]) -> None:
    """The next row that anybody makes gets a key of its own."""
    for model in models:
        table, column = model._meta.db_table, model._meta.pk.column
        run_sql(
            f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), "
            f"(SELECT max({column}) FROM {table}))"
        )
