"""Host, target and tuning under which a file or one of its points is stored."""

from __future__ import annotations

from dataclasses import dataclass

from apps.imports.models import Import, ImportFile
from apps.imports.schemas.points import PointProposal
from apps.tuning.domain.baseline import NOT_STATED, stored_tuning_name

NO_HOST = "unnamed-host"
MAX_TARGET_LENGTH = 200


@dataclass(frozen=True)
class StoredNames:
    """Names of a stored result.

    Names entered for the file precede those of the import. Then follow names suggested by paths and
    the output, then defaults.
    """

    host: str
    target: str
    tuning: str


def stored_names(
    imported: Import, row: ImportFile, point: PointProposal | None = None
) -> StoredNames:
    """Return the names under which a file, or one of its points, is stored."""
    suggested = point or PointProposal()
    return StoredNames(
        host=_entered("host_name", imported, row)
        or row.suggested_names.get("host_name", "")
        or NO_HOST,
        target=_target(imported, row, suggested),
        tuning=stored_tuning_name(_entered("tuning_name", imported, row))
        or suggested.tuning
        or row.suggested_names.get("tuning_name", "")
        or NOT_STATED,
    )


def _entered(name: str, imported: Import, row: ImportFile) -> str:
    return str(getattr(row, name) or getattr(imported, name))


def _target(imported: Import, row: ImportFile, point: PointProposal) -> str:
    name = _entered("target_name", imported, row) or row.suggested_names.get("target_name", "")
    if not name:
        return point.target
    # Results of different targets are never repeats, even under a common name.
    if point.target and len({each.target for each in row.proposals if each.target}) > 1:
        return f"{name}, {point.target}"[:MAX_TARGET_LENGTH]
    return name
