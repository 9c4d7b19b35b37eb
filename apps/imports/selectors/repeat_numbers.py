"""Decide whether a point of an import is a repeat, another test, or a copy of an output.

The preview and the store both use `RepeatNumbers`, so a stored run has the previewed repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.imports.models import Import, ImportFile
from apps.imports.schemas.points import PointProposal
from apps.imports.selectors.stored_names import StoredNames, stored_names

FIELDS = (
    *("host_name", "target_name", "tuning_name", "suggested_names", "proposals"),
    *("ignore_job_names", "keep_duplicates"),
)
"""Fields of a file that decide its names and repeats, besides its keys."""


@dataclass(frozen=True)
class StoredPoint:
    """Names and repeat of a point; `repeat` is None for a copy that is not stored."""

    names: StoredNames
    repeat: int | None


class RepeatNumbers:
    """Repeats of the points of an import, file by file in the order of their numbers."""

    def __init__(self, imported: Import) -> None:
        self._imported = imported
        self._counts: Counter[tuple[str, StoredNames]] = Counter()

    def number_points(
        self, row: ImportFile, keys: Sequence[str], proposals: Sequence[PointProposal]
    ) -> list[StoredPoint]:
        """Return the names and repeats of the points of a file.

        `keys`: keys of their workloads. `proposals`: those of the points; empty if there are none.
        """
        missing = [PointProposal()] * (len(keys) - len(proposals))
        pairs = zip(keys, [*proposals, *missing], strict=False)
        return [self._number(row, key, proposal) for key, proposal in pairs]

    def _number(self, row: ImportFile, key: str, proposal: PointProposal) -> StoredPoint:
        """Return the names and the repeat of the next point of a file.

        Points with equal keys and equal names are repeats of one test, counted from 1; any other
        point is another test. An output that a text has twice is one result, unless a user keeps
        duplicates of the file or of the import.
        """
        names = stored_names(self._imported, row, proposal)
        keeps_duplicates = self._imported.keep_duplicates or row.keep_duplicates
        if proposal.same_as is not None and not keeps_duplicates:
            return StoredPoint(names, None)
        self._counts[key, names] += 1
        return StoredPoint(names, self._counts[key, names])


def uses_job_names(imported: Import, row: ImportFile) -> bool:
    """Return True if job names tell otherwise equal tests of this file apart."""
    return not (imported.ignore_job_names or row.ignore_job_names)
