"""Files that are read once more before they are stored, as a person changed how they are read."""

from __future__ import annotations

from collections.abc import Iterable

from apps.common.errors import Refused
from apps.imports.models import ImportFile, ImportMeasurement
from apps.imports.reading.again import file_read
from apps.imports.reading.alone import understood
from apps.imports.reading.beside import stand_beside
from apps.imports.reading.readings import readings_keep


def files_reread(keys: Iterable[int]) -> None:
    """Read these files again, and keep what is understood now. Raises Refused where that is
    nothing; then nothing changes."""
    rows = ImportFile.objects.filter(pk__in=list(keys)).select_related("of", "cut_from")
    for row in rows:
        found = understood(file_read(row, list(row.parts.order_by("number"))))
        if not found.is_understood:
            raise Refused(str(found.fields["refusal"]))
        for name, value in found.fields.items():
            setattr(row, name, value)
        row.save(update_fields=[*found.fields])
        ImportMeasurement.objects.filter(file=row).delete()
        if found.packed is not None and not row.of.dry_run:
            readings_keep({row.pk: (row.tool, found.packed)})
        if row.cut_from is not None:
            _beside_again(row.cut_from)


def _beside_again(text: ImportFile) -> None:
    """Labels of results may have changed, which recordings name."""
    for row in stand_beside(text.pieces.defer("content").order_by("number")):
        row.save(update_fields=["points"])
