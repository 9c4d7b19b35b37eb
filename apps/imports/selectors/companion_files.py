"""Recordings of devices (iostat) beside the tests that ran meanwhile, in one text."""

from __future__ import annotations

from collections.abc import Iterable

from apps.imports.models import ImportFile
from apps.imports.schemas.points import MonitoredTest
from apps.tools.registry import TOOLS, is_monitor

MONITORS = tuple(name for name in TOOLS if is_monitor(name))


def monitored_tests(row: ImportFile, pieces: Iterable[ImportFile]) -> tuple[MonitoredTest, ...]:
    """The tests of the text that a recording was cut from, in the order of their lines; none for a
    file that is no recording. `pieces`: the files that were cut from texts.
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
