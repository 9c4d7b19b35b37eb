"""iostat's output in either format -> measurements."""

from __future__ import annotations

from apps.tools.base import Completeness, Output, OutputError, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text

from .json import START, parse_json
from .reports import Reports, measurements
from .text import IostatLines, heading

_LOOKS = 1024**2
BOOT = "The first report covers the time since boot and is not part of the figures."
ONLY_BOOT = "The only report covers the time since boot."
NO_INTERVAL = "The text does not say the interval: one second is assumed."
NO_END = "iostat's tables have no end mark: completeness unknown."
CUT = "The JSON is cut off: reports that were written in full are kept."


def recognises(data: bytes) -> bool:
    """Whether these bytes hold a heading of iostat, or its JSON."""
    head = as_text(data[:_LOOKS])
    return bool(START.search(head)) or any(
        "/s" in line and heading(line[:4_000]) is not None for line in head.split("\n")
    )


def parse_output(output: Output) -> Parsed:
    """Read iostat's "stdout". Raises OutputError."""
    data = output.files.get("stdout", b"")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    text = as_text(data)
    if START.search(text):
        reports, completeness = parse_json(text)
        return _parsed("json", reports, completeness, [CUT] if completeness == "partial" else [])
    reading = IostatLines()
    reading.read(text)
    return _parsed("text", reading.reports, "unknown", [NO_END])


def _parsed(name: str, reports: Reports, completeness: Completeness, warnings: list[str]) -> Parsed:
    found = measurements(reports)
    several = len(reports.filled) > 1
    if reports.boot:
        warnings = [BOOT if several else ONLY_BOOT, *warnings]
    if reports.interval is None and any(each.series for each in found):
        warnings = [*warnings, NO_INTERVAL]
    return Parsed("iostat", name, None, found, tuple(warnings), completeness)
