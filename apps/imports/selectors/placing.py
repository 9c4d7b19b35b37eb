"""Host, target, tuning and repeat under which each point of an import is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.imports.models import Import, ImportFile
from apps.imports.schemas.points import PointProposal

NO_HOST = "unnamed-host"
NO_TUNING = "not said"
LONGEST_TARGET = 200
FIELDS = ("host_name", "target_name", "tuning_name", "suggested_names", "places", "keep_duplicates")
"""Fields of a file that decide its names and repeats."""


@dataclass(frozen=True)
class StoredUnder:
    """Names of a stored result.

    Names entered for the file precede those of the import. Then follow names suggested by paths and
    the output, then defaults.
    """

    host: str
    target: str
    tuning: str


@dataclass(frozen=True)
class StoredPoint:
    """Names and repeat of a point.

    `repeat` counts from 1 among equal workloads under equal names; None for a repeated output that
    is not stored.
    """

    under: StoredUnder
    repeat: int | None


def stored_under(
    imported: Import, row: ImportFile, point: PointProposal | None = None
) -> StoredUnder:
    """Return the names under which a file, or one of its points, is stored."""
    suggested = point or PointProposal()
    return StoredUnder(
        host=_entered("host_name", imported, row)
        or row.suggested_names.get("host_name", "")
        or NO_HOST,
        target=_target(imported, row, suggested),
        tuning=_entered("tuning_name", imported, row)
        or suggested.tuning
        or row.suggested_names.get("tuning_name", "")
        or NO_TUNING,
    )


class Placing:
    """Assigner of names and repeats to points, file by file in the order of their numbers."""

    def __init__(self, imported: Import) -> None:
        self._imported = imported
        self._seen: Counter[tuple[str, StoredUnder]] = Counter()

    def place(
        self, row: ImportFile, keys: Sequence[str], places: Sequence[PointProposal]
    ) -> list[StoredPoint]:
        """Return the names and repeats of the points of a file.

        `keys`: keys of their workloads. `places`: suggestions of the points; empty if they have
        none.
        """
        under = stored_under(self._imported, row)
        counts_copies = self._imported.keep_duplicates or row.keep_duplicates
        placed = []
        for index, key in enumerate(keys):
            if index < len(places):
                under = stored_under(self._imported, row, places[index])
                if places[index].same_as is not None and not counts_copies:
                    placed.append(StoredPoint(under, None))
                    continue
            self._seen[key, under] += 1
            placed.append(StoredPoint(under, self._seen[key, under]))
        return placed


def _entered(name: str, imported: Import, row: ImportFile) -> str:
    return str(getattr(row, name) or getattr(imported, name))


def _target(imported: Import, row: ImportFile, point: PointProposal) -> str:
    name = _entered("target_name", imported, row) or row.suggested_names.get("target_name", "")
    if not name:
        return point.target
    # Results of different targets are never repeats, even under a common name.
    if point.target and len({each.target for each in row.places if each.target}) > 1:
        return f"{name}, {point.target}"[:LONGEST_TARGET]
    return name
