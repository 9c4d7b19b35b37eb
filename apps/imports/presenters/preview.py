"""Rows of the import pages: each file with its results and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.text import Truncator
from django.utils.translation import gettext

from apps.imports.models import FileState, Import, ImportFile
from apps.imports.schemas.points import OperationValues, PointProposal, PreviewPoint
from apps.imports.selectors.imports import stored_points
from apps.imports.selectors.repeat_numbers import StoredPoint
from apps.imports.selectors.stored_names import StoredNames, stored_names
from apps.plans.domain.workload_labels import Labelled, names_with_tools
from apps.tools.registry import TOOLS, measures_network

POINTS_SHOWN = 8
WARNINGS_SHOWN = 3
MAX_NAMES_LENGTH = 80


@dataclass(frozen=True)
class PointRow:
    """Case to be created: its label, values and repeat.

    `differing`: names that are not equal for all points of the file. `named`: only its job name may
    tell it apart from others. `first`: the point with the same output. `alone`: the file has no
    other point.
    """

    point: PreviewPoint
    label: str
    names: StoredNames
    repeat: int | None
    differing: frozenset[str] = frozenset()
    named: bool = False
    first: PreviewPoint | None = None
    alone: bool = True

    @property
    def exact(self) -> bool:
        return self.point.exact

    @property
    def measurements(self) -> list[OperationValues]:
        return [each for each in self.point.measurements if not each.component]

    @property
    def facts(self) -> list[str]:
        """Return short facts: lines in the text, and names that vary within the file."""
        lines, line, repeat = line_words(self.point), self.point.command_line, self.repeat
        facts = [
            (lines, gettext("lines %(words)s") % {"words": lines}),
            ("target" in self.differing, gettext("target %(name)s") % {"name": self.names.target}),
            ("tuning" in self.differing, gettext("tuning %(name)s") % {"name": self.names.tuning}),
            (line, gettext("options from line %(line)d") % {"line": line}),
            (repeat and not self.alone, gettext("repeat %(number)d") % {"number": repeat or 0}),
        ]
        return [text for has, text in facts if has]

    @property
    def same_as(self) -> str:
        """Return a phrase about an output that occurs twice in the text; "" otherwise."""
        if self.first is None:
            return ""
        lines = {"first": line_words(self.first), "own": line_words(self.point)}
        if not all(lines.values()):
            return gettext("The same output stands above.")
        return gettext("Lines %(first)s and %(own)s are the same output") % lines

    @property
    def is_partial(self) -> bool:
        return self.point.completeness == "partial"

    @property
    def warnings(self) -> Sequence[str]:
        is_counted = self.first is None or self.repeat is not None
        return self.point.warnings[:WARNINGS_SHOWN] if is_counted else ()


@dataclass(frozen=True)
class FileRow:
    """File in the table of the preview."""

    file: ImportFile
    tool: str
    names: StoredNames
    network: bool
    import_ignores: bool = False
    points: list[PointRow] = field(default_factory=list)
    more: int = 0
    more_warnings: int = 0

    @property
    def is_named(self) -> bool:
        """Return True if job names tell its tests apart, so that a user can ignore them."""
        return self.file.keys != self.file.nameless_keys

    @property
    def nameless(self) -> bool:
        """Return True if a user chose to ignore job names."""
        return self.file.ignore_job_names or self.import_ignores

    @property
    def has_copies(self) -> bool:
        """Return True if the file contains an output twice."""
        return any(point.same_as is not None for point in self.file.points)

    @property
    def has_commands(self) -> bool:
        """Return True if commands in the text give options of results, or would."""
        return self.file.ignore_commands or any(point.command_line for point in self.file.points)

    @property
    def is_settings(self) -> bool:
        """Return True for a ceph.conf: its settings become a tuning, not a result."""
        return self.file.state == FileState.FAILED and "ceph.conf" in self.file.parse_error

    @property
    def warnings(self) -> list[str]:
        return list(self.file.warnings[:WARNINGS_SHOWN])


def file_rows(
    imported: Import, files: Iterable[ImportFile], *, most: int = POINTS_SHOWN
) -> list[FileRow]:
    """Return the rows of these files with up to `most` points each."""
    placed = stored_points(imported)
    return [_row(imported, file, placed.get(file.number, []), most) for file in files]


def line_words(point: PreviewPoint) -> str:
    """Return the lines of a point's output, such as "14-45"; "" if unknown."""
    return "-".join(str(number) for number in dict.fromkeys(point.lines or ()))


def _row(imported: Import, file: ImportFile, placed: list[StoredPoint], most: int) -> FileRow:
    proposals = file.proposals or [PointProposal()]
    unders = [stored_names(imported, file, proposal) for proposal in proposals]
    differing = frozenset(
        name for name in ("target", "tuning") if len({getattr(one, name) for one in unders}) > 1
    )
    points = [
        _point(file, index, name, unders[index % len(unders)], placed, differing)
        for index, name in _names(file, most).items()
    ]
    plugin = TOOLS.get(file.tool)
    return FileRow(
        file,
        tool=plugin.label if plugin else file.tool,
        names=_combined(unders),
        network=measures_network(file.tool),
        import_ignores=imported.ignore_job_names,
        points=points,
        more=max(0, len(file.points) - most),
        more_warnings=max(0, len(file.warnings) - WARNINGS_SHOWN),
    )


def _names(file: ImportFile, most: int) -> Mapping[int, str]:
    """Return distinct names of the first points of a file, by index."""
    points = enumerate(file.points[:most])
    return names_with_tools({
        index: Labelled(file.tool, point.params, point.label) for index, point in points
    })  # fmt: skip


def _combined(unders: Sequence[StoredNames]) -> StoredNames:
    """Return the names of all points, each name once."""
    targets = dict.fromkeys(one.target for one in unders if one.target)
    tunings = dict.fromkeys(one.tuning for one in unders)
    return StoredNames(unders[0].host, _listed(targets), _listed(tunings))


def _listed(names: Iterable[str]) -> str:
    return Truncator(", ".join(names)).chars(MAX_NAMES_LENGTH)


def _point(
    file: ImportFile,
    index: int,
    label: str,
    under: StoredNames,
    placed: Sequence[StoredPoint],
    differing: frozenset[str],
) -> PointRow:
    point = file.points[index]
    return PointRow(
        point,
        label,
        under,
        repeat=placed[index].repeat if index < len(placed) else None,
        differing=differing,
        named=file.keys[index : index + 1] != file.nameless_keys[index : index + 1],
        first=file.points[point.same_as] if point.same_as is not None else None,
        alone=len(file.points) == 1,
    )
