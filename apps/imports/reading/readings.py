"""Readings that wait for being stored, beside the files they are of."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import connection

from apps.common.database.copying import rows_copy
from apps.imports.models import Import, ImportFile, ImportMeasurement
from apps.imports.reading.packed import unpacked
from apps.imports.reading.result import ResultRead
from apps.tools.registry import tool

_FORGET = (
    "DELETE FROM imports_importmeasurement WHERE file_id = ANY (ARRAY("
    "SELECT id FROM imports_importfile WHERE of_id = %s))"
)
_COLUMNS = ("file_id", "parser_version", "content")


def readings_keep(new: Mapping[int, tuple[str, bytes]]) -> None:
    """Keep packed readings, each with its tool, by the file they are of."""
    rows_copy(
        ImportMeasurement,
        _COLUMNS,
        [(file, tool(name).parser_version, content) for file, (name, content) in new.items()],
    )


def readings_of(files: Collection[ImportFile]) -> dict[int, ResultRead]:
    """Kept readings of these files, without those that today's parser would read another way."""
    rows = ImportMeasurement.objects.filter(file__in=files).values_list(*_COLUMNS)
    found = {}
    for file, version, content in rows:
        reading = unpacked(bytes(content))
        if reading is not None and tool(reading.tool).parser_version == version:
            found[file] = reading
    return found


def readings_forget(imported: Import) -> None:
    """It is stored. By keys alone: PostgreSQL may believe that the tables are empty."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [imported.pk])
