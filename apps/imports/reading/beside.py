"""Recordings of devices (iostat) beside the tests that ran meanwhile, in one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from apps.imports.models import ImportFile
from apps.imports.reading.found import FoundBeside, FoundPoint
from apps.tools.registry import is_monitor


def stand_beside(pieces: Iterable[ImportFile]) -> list[ImportFile]:
    """Name for each recording the last test above it in the same text; return the changed files."""
    rows = list(pieces)
    changed = []
    for row in rows:
        if not is_monitor(row.tool):
            continue
        tests = [
            each
            for other in rows
            if other.cut_from_id == row.cut_from_id and not is_monitor(other.tool)
            for each in _tests(other)
        ]
        points = tuple(_beside(point, tests) for point in row.points)
        if points != tuple(row.points):
            row.points = points
            changed.append(row)
    return changed


def _tests(row: ImportFile) -> list[tuple[int, FoundBeside]]:
    """The tests of a file with the line in which each begins."""
    return [
        (point.lines[0], FoundBeside(row.number, index, point.label))
        for index, point in enumerate(row.points)
        if point.lines is not None
    ]


def _beside(point: FoundPoint, tests: Sequence[tuple[int, FoundBeside]]) -> FoundPoint:
    above = [test for test in tests if point.lines is not None and test[0] < point.lines[0]]
    beside = max(above, key=lambda test: test[0])[1] if above else None
    return msgspec.structs.replace(point, beside=beside)
