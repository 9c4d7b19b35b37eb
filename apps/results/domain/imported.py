"""Parse an imported attempt again: a file may contain several points, one attempt each."""

from __future__ import annotations

from collections.abc import Mapping

from apps.runs.models import Attempt
from apps.tools.errors import OutputError
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import parse_output
from apps.tools.workloads.points import point_again, points_of


def imported_parse(attempt: Attempt, files: Mapping[str, bytes]) -> Parsed:
    """Return the result of the point `attempt.imported` of the imported file.

    Raises:
        ToolError, OutputError: the file cannot be parsed, or no longer contains the point.
    """
    origin = attempt.imported
    assert origin is not None, "an attempt of benchlab's own has no such origin"
    parsed = parse_output(attempt.case.tool, Output({"stderr": b"", **files}))
    points = points_of(parsed, origin.params, names=origin.names)
    point = point_again(points, origin.key, origin.occurrence, origin.index)
    if point is None:
        raise OutputError("Today's parser does not find this result in the file any more.")
    return point.of(parsed)
