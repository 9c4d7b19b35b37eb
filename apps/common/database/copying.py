"""Many rows into a table with PostgreSQL's binary COPY: a fraction of the work of INSERT, which
sends every value as text in a statement that is parsed.

Values of JSON and of arrays are put into PostgreSQL's binary form here; psycopg does the others.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import orjson
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from apps.common.database.storable import cleaned
from apps.common.stored.contracts import ContractField
from apps.common.stored.sentences import SentenceField, stored

Prepare = Callable[[Any], object]

_TYPES: dict[str, str] = {
    **dict.fromkeys(("BigAutoField", "BigIntegerField", "PositiveBigIntegerField"), "int8"),
    **dict.fromkeys(("IntegerField", "PositiveIntegerField"), "int4"),
    **dict.fromkeys(("CharField", "TextField"), "text"),
    "FloatField": "float8",
    "BooleanField": "bool",
    "DateTimeField": "timestamptz",
    "UUIDField": "uuid",
    "BinaryField": "bytea",
}
# The binary form of jsonb: its version, and the text.
_JSONB = b"\x01"
_HEAD = struct.Struct("!iii")  # dimensions, whether there are NULLs, type of the elements
_SIZE = struct.Struct("!ii")  # number of elements, the first one's number
_LENGTH = struct.Struct("!i")
_INT8, _VARCHAR = 20, 1043
_ELEMENT = np.dtype([("length", ">i4"), ("value", ">i8")])


def keys_taken(model: type[models.Model], number: int) -> list[int]:
    """So many new keys of a table whose rows are numbered."""
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
    """Store rows of these columns (`attname` of fields), in the transaction that is open. The
    values are the fields' own; keys and days are not made here. Nothing is sent without a row.
    """
    found = iter(rows)
    first = next(found, None)
    if first is None:
        return
    fields = {field.attname: field for field in model._meta.concrete_fields}
    types, prepares = zip(*(_column(fields[name]) for name in names), strict=True)
    columns = ", ".join(f'"{fields[name].column}"' for name in names)
    statement = f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN (FORMAT BINARY)'
    # Django makes its own errors of psycopg's for statements only.
    wrapped = connection.wrap_database_errors
    with wrapped, connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types)
        for row in chain([first], found):
            copy.write_row(
                [
                    value if prepare is None or value is None else prepare(value)
                    for prepare, value in zip(prepares, row, strict=True)
                ]
            )


def objects_copy(rows: Sequence[models.Model]) -> None:
    """Store new objects of one model, as `bulk_create` does: each gets its key."""
    if not rows:
        return
    model = type(rows[0])
    keyless = [row for row in rows if row.pk is None]
    for row, key in zip(keyless, keys_taken(model, len(keyless)), strict=True):
        row.pk = key
    fields = model._meta.concrete_fields
    rows_copy(
        model,
        [field.attname for field in fields],
        ([field.pre_save(row, add=True) for field in fields] for row in rows),
    )
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def objects_update(rows: Sequence[models.Model], names: Collection[str]) -> None:
    """Write these fields of stored objects of one model, as `bulk_update` does, in one statement
    that gets all values as one JSON text.
    """
    if not rows:
        return
    model = type(rows[0])
    pk = model._meta.pk
    fields = [field for field in model._meta.concrete_fields if field.name in names]
    told = [{field.column: _plain(field, row) for field in (pk, *fields)} for row in rows]
    types = ", ".join(f'"{each.column}" {each.db_type(connection)}' for each in (pk, *fields))
    new = ", ".join(f'"{each.column}" = new."{each.column}"' for each in fields)
    statement = (
        f'UPDATE "{model._meta.db_table}" AS old SET {new} '
        f"FROM jsonb_to_recordset(%s::jsonb) AS new({types}) "
        f'WHERE old."{pk.column}" = new."{pk.column}"'
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [json_text(told).decode()])


def _plain(field: models.Field[Any, Any], row: models.Model) -> object:
    value = field.pre_save(row, add=False)
    if isinstance(field, SentenceField):
        return field.get_prep_value(value)
    return field.contract.write(value) if isinstance(field, ContractField) else value


def _column(field: models.Field[Any, Any]) -> tuple[str, Prepare | None]:
    """The type that psycopg is told, and what is done to a value before."""
    if isinstance(field, models.ForeignKey):
        return _column(field.target_field)
    if isinstance(field, ContractField):
        write = field.contract.write
        return "bytea", lambda value: jsonb(write(value))
    if isinstance(field, models.JSONField):
        return "bytea", jsonb
    if isinstance(field, SentenceField):
        return "text", stored
    if isinstance(field, ArrayField):
        base = field.base_field
        return "bytea", texts if isinstance(base, models.CharField) else integers
    return _TYPES[field.get_internal_type()], None


def json_text(value: object) -> bytes:
    """JSON. Text that PostgreSQL cannot store has a replacement character in its place, what is no
    number is null.
    """
    try:
        text = orjson.dumps(value)
    except TypeError:  # a lone surrogate, an integer beyond 64 bits, a key that is no text
        return json.dumps(_finite(cleaned(value))).encode()
    return orjson.dumps(cleaned(value)) if b"\\u0000" in text else text


def _finite(value: Any) -> Any:
    """The same JSON with null for what is no number."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def jsonb(value: object) -> bytes:
    """JSON in its binary form."""
    return _JSONB + json_text(value)


def integers(values: Sequence[int]) -> bytes:
    """bigint[] in its binary form."""
    if not len(values):
        return _HEAD.pack(0, 0, _INT8)
    elements = np.empty(len(values), _ELEMENT)
    elements["length"] = 8
    elements["value"] = values
    return _HEAD.pack(1, 0, _INT8) + _SIZE.pack(len(values), 1) + elements.tobytes()


def texts(values: Sequence[str]) -> bytes:
    """varchar[] in its binary form."""
    if not values:
        return _HEAD.pack(0, 0, _VARCHAR)
    encoded = [value.encode() for value in values]
    elements = b"".join(_LENGTH.pack(len(each)) + each for each in encoded)
    return _HEAD.pack(1, 0, _VARCHAR) + _SIZE.pack(len(values), 1) + elements
