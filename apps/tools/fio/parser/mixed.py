"""Text and terse lines of the same jobs in one file (`--output-format=normal,terse`, or results
that somebody put together): of each job the text is read, which tells its parameters.
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
    """Read both, each job once. Raises OutputError where nothing is complete."""
    told = _told(data)
    try:
        text = parse_text(data) if told else None
    except (OutputError, ToolError):
        text = None
    if text is None:
        return _alone(parse_terse(data), data)
    try:
        rest = parse_terse(data, told)
    except OutputError:
        return text
    calls = max(each.call for each in text.measurements)
    behind = [dataclasses.replace(each, call=calls + each.call) for each in rest.measurements]
    measurements = (*text.measurements, *behind)
    return dataclasses.replace(
        text,
        measurements=measurements,
        warnings=(*text.warnings, *rest.warnings),
        completeness=worst(measurements),
    )


def _alone(terse: Parsed, data: bytes) -> Parsed:
    """Terse lines whose text is cut off before the jobs' results."""
    if not text_patterns.begins_text([line[:MAX_LINE] for line in as_text(data).split("\n")]):
        return terse
    found = [
        dataclasses.replace(
            each, completeness="partial", warnings=tuple(dict.fromkeys((*each.warnings, CUT)))
        )
        for each in terse.measurements
    ]
    return dataclasses.replace(terse, measurements=tuple(found), completeness="partial")


def _told(data: bytes) -> Counter[tuple[str, str]]:
    """Numbers of times the text tells of each job, by name and group."""
    found: Counter[tuple[str, str]] = Counter()
    for line in as_text(data).split("\n"):
        if match := text_patterns.job(text_patterns.FROM_CLIENT.sub("", line[:MAX_LINE])):
            found[match["name"].strip(), match["group"]] += 1
    return found
