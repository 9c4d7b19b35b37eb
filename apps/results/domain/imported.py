"""Imported attempts read again: a file may hold several points, each an attempt of its own."""

from __future__ import annotations

from collections.abc import Mapping

from apps.runs.models import Attempt
from apps.tools.errors import OutputError
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import parse_output
from apps.tools.workloads.points import point_again, points_of


def imported_parse(attempt: Attempt, files: Mapping[str, bytes]) -> Parsed:
    """The result of this attempt's point of the imported file. `attempt.imported` says which one it
    is. Raises ToolError, OutputError.
    """
    origin = attempt.imported
    assert origin is not None, "an attempt of benchlab's own has no such origin"
    parsed = parse_output(attempt.case.tool, Output({"stderr": b"", **files}))
    points = points_of(parsed, origin.said, names=origin.names)
    point = point_again(points, origin.key, origin.occurrence, origin.index)
    if point is None:
        raise OutputError("Today's parser does not find this result in the file any more.")
    return point.of(parsed)
