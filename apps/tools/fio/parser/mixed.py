"""Text and terse lines of the same jobs in one file.

Source: `--output-format=normal,terse`, or concatenated results. The text of each job is used,
because it has the parameters.
"""

from __future__ import annotations

import dataclasses
from collections import Counter

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Parsed
from apps.tools.text import as_text

from .completeness import worst
from .normal import patterns as text_patterns
from .normal.results import CUT
from .normal.text import MAX_LINE, parse_text
from .terse.job_lines import parse_terse


def parse_terse_and_text(data: bytes) -> Parsed:
    """Parse both formats, each job once.

    Raises: OutputError if nothing is complete.
    """
    in_text = _jobs_in_text(data)
    try:
        text = parse_text(data) if in_text else None
    except (OutputError, ToolError):
        text = None
    if text is None:
        return _terse_only(parse_terse(data), data)
    try:
        rest = parse_terse(data, in_text)
    except OutputError:
        return text
    calls = max(each.call for each in text.measurements)
    remaining = [dataclasses.replace(each, call=calls + each.call) for each in rest.measurements]
    measurements = (*text.measurements, *remaining)
    return dataclasses.replace(
        text,
        measurements=measurements,
        warnings=(*text.warnings, *rest.warnings),
        completeness=worst(measurements),
    )


def _terse_only(terse: Parsed, data: bytes) -> Parsed:
    """Return the terse results, partial if the text is truncated before the jobs' results."""
    if not text_patterns.begins_text([line[:MAX_LINE] for line in as_text(data).split("\n")]):
        return terse
    result = [
        dataclasses.replace(
            each, completeness="partial", warnings=tuple(dict.fromkeys((*each.warnings, CUT)))
        )
        for each in terse.measurements
    ]
    return dataclasses.replace(terse, measurements=tuple(result), completeness="partial")


def _jobs_in_text(data: bytes) -> Counter[tuple[str, str]]:
    """Return the number of results of each job in the text, by name and group."""
    result: Counter[tuple[str, str]] = Counter()
    for line in as_text(data).split("\n"):
        if match := text_patterns.job(text_patterns.FROM_CLIENT.sub("", line[:MAX_LINE])):
            result[match["name"].strip(), match["group"]] += 1
    return result
