"""Parse iostat's output in either format."""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.errors import OutputError
from apps.tools.parse_result import Completeness, Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text

from .json import START, parse_json
from .reports import NO_FIGURES, SHARED_ONLY, Reports, measurements
from .text import IostatLines

NO_END = "iostat's tables have no end mark: completeness unknown."
PROCESSOR = "iostat's report of the processor holds no device."


def parse_output(output: Output) -> Parsed:
    """Parse iostat's "stdout".

    Raises: OutputError.
    """
    data = output.files.get("stdout", b"")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    text = as_text(data)
    if START.search(text):
        return _parsed("json", parse_json(text))
    parsed_lines = IostatLines()
    parsed_lines.read(text)
    if parsed_lines.processor and not any(each.filled for each in parsed_lines.recordings):
        raise OutputError(PROCESSOR)
    return _parsed("text", parsed_lines.recordings)


def _parsed(name: str, recordings: Sequence[Reports]) -> Parsed:
    results = measurements(recordings)
    if not results:
        raise OutputError(SHARED_ONLY if any(r.filled for r in recordings) else NO_FIGURES)
    states = {each.completeness for each in results}
    state: Completeness = "unknown" if None in states else "whole"
    state = "partial" if "partial" in states else state
    remarks = (NO_END,) if name == "text" else ()
    return Parsed("iostat", name, None, results, remarks, state)
