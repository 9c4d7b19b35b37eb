"""Recordings of devices (iostat) and the tests of the same text that ran meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

from apps.imports.models import ImportFile
from apps.imports.schemas.points import MonitoredTest
from apps.tools.registry import TOOLS, is_monitor

MONITORS = tuple(name for name in TOOLS if is_monitor(name))


def monitored_tests(row: ImportFile, pieces: Iterable[ImportFile]) -> tuple[MonitoredTest, ...]:
    """Return the tests in the text of a recording, ordered by line.

    Empty for any other file. `pieces`: the files that were split from texts.
    """
    if row.split_from_id is None or not is_monitor(row.tool):
        return ()
    tests = [
        MonitoredTest(other.number, index, f"{other.tool} {point.label}", point.lines[0], point.key)
        for other in pieces
        if other.split_from_id == row.split_from_id and not is_monitor(other.tool)
        for index, point in enumerate(other.points)
        if point.lines is not None
    ]
    return tuple(sorted(tests, key=lambda test: test.line))
