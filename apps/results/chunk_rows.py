"""Chunks into their table with PostgreSQL's COPY: a tenth of the work of INSERT, which sends bytes
as text."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from apps.results.chunks import Chunk
from apps.results.models import SeriesChunk

FIELDS = ("series_id", "index", "values", "tile_minima", "tile_maxima")
TYPES = ("int8", "int4", "bytea", "bytea", "bytea")


def chunks_copy(chunks: Iterable[tuple[int, Chunk]]) -> None:
    """Store chunks, each with the id of its series, in the transaction that is open."""
    columns = ", ".join(f'"{name}"' for name in FIELDS)
    statement = f"COPY {SeriesChunk._meta.db_table} ({columns}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(TYPES)
        for series, each in chunks:
            copy.write_row((series, each.index, each.values, each.tile_minima, each.tile_maxima))
