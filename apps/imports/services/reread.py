"""Files that are read again before they are stored, after a change of how they are read."""

from __future__ import annotations

from collections.abc import Iterable

from apps.common.errors import ServiceError
from apps.imports.domain.parsed_file import parsed_file_of
from apps.imports.models import FileState, ImportFile
from apps.imports.selectors.companion_files import MONITORS
from apps.imports.selectors.reparsed import file_read


def files_reread(keys: Iterable[int]) -> None:
    """Read these files again, and the recordings that name their results.

    Raises: ServiceError if a file no longer parses; nothing changes then.
    """
    rows = ImportFile.objects.filter(pk__in=list(keys)).select_related("batch", "split_from")
    texts = {row.split_from_id for row in rows if row.split_from_id is not None}
    recordings = ImportFile.objects.filter(
        split_from__in=texts, tool__in=MONITORS, state=FileState.PARSED, primary_file=None
    )
    for row in rows:
        _reread(row)
    for row in recordings.select_related("batch", "split_from"):
        _reread(row)


def _reread(row: ImportFile) -> None:
    parsed = parsed_file_of(file_read(row, list(row.parts.order_by("number"))))
    if not parsed.is_parsed:
        raise ServiceError(str(parsed.fields["parse_error"]))
    for name, value in parsed.fields.items():
        setattr(row, name, value)
    row.save(update_fields=[*parsed.fields])
