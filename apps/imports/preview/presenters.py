"""Rows of the import pages: each file with its figures and what it would become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.imports.models import FileState, Import, ImportFile
from apps.imports.reading.found import FoundFigures
from apps.imports.selectors import StoredUnder, repeat_numbers, stored_under
from apps.tools.registry import TOOLS, measures_network

POINTS_SHOWN = 4
WARNINGS_SHOWN = 3


@dataclass(frozen=True)
class PointRow:
    """One case to be: its label, its figures of wholes, and which repeat it is;
    `named`: nothing but the name of its job may tell it apart from others."""

    label: str
    exact: bool
    measurements: list[FoundFigures]
    repeat: int | None
    named: bool = False


@dataclass(frozen=True)
class FileRow:
    """A file in the preview's table."""

    file: ImportFile
    tool: str
    place: StoredUnder
    network: bool
    import_ignores: bool = False
    points: list[PointRow] = field(default_factory=list)
    more: int = 0
    more_warnings: int = 0

    @property
    def is_named(self) -> bool:
        """Whether names of jobs tell tests of it apart, so that a person may say otherwise."""
        return self.file.keys != self.file.nameless_keys

    @property
    def nameless(self) -> bool:
        """Whether somebody said so."""
        return self.file.ignore_names or self.import_ignores

    @property
    def is_settings(self) -> bool:
        """Whether it is a ceph.conf: settings, which become a tuning, not a result."""
        return self.file.state == FileState.REFUSED and "ceph.conf" in self.file.refusal

    @property
    def warnings(self) -> list[str]:
        return list(self.file.warnings[:WARNINGS_SHOWN])


def file_rows(
    imported: Import, files: Iterable[ImportFile], *, most: int = POINTS_SHOWN
) -> list[FileRow]:
    """The rows of these files; `most` points of each."""
    repeats = repeat_numbers(imported)
    return [_row(imported, file, repeats.get(file.number, []), most) for file in files]


def _row(imported: Import, file: ImportFile, repeats: list[int], most: int) -> FileRow:
    points = [
        PointRow(
            label=point.label,
            exact=point.exact,
            measurements=[each for each in point.measurements if not each.part],
            repeat=repeats[index] if index < len(repeats) else None,
            named=file.keys[index : index + 1] != file.nameless_keys[index : index + 1],
        )
        for index, point in enumerate(file.points[:most])
    ]
    room = TOOLS.get(file.tool)
    return FileRow(
        file,
        tool=room.label if room else file.tool,
        place=stored_under(imported, file),
        network=measures_network(file.tool),
        import_ignores=imported.ignore_names,
        points=points,
        more=max(0, len(file.points) - most),
        more_warnings=max(0, len(file.warnings) - WARNINGS_SHOWN),
    )
