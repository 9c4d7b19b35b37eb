"""iperf's output in any format -> measurements."""

from __future__ import annotations

import dataclasses
import re

from apps.tools.base import Output, OutputError, Parsed, ToolError
from apps.tools.text import MAX_OUTPUT, as_text

from . import lines
from .csv import LINE, parse_csv
from .json import START, parse_json
from .text import parse_text

_LOOKS = 1024**2
_JSON_MARK = re.compile(r'"version"\s*:\s*"iperf |"intervals"\s*:\s*\[')
_STARTS = (lines.CLIENT, lines.SERVER, lines.CLIENT3, lines.SERVER3)
_SAID = re.compile(r"^iperf3?: ", re.MULTILINE)


def recognises(data: bytes) -> bool:
    """Whether these bytes look like iperf 2 or iperf3, in any format."""
    head = as_text(data[:_LOOKS])
    if START.search(head) and _JSON_MARK.search(head):
        return True
    if _SAID.search(head):
        return True
    return any(_looks(line[:1_000]) for line in head.split("\n"))


def _looks(line: str) -> bool:
    if LINE.match(line) or ("sec" in line and lines.row(line, "")):
        return True
    return any(mark.search(line) for mark in _STARTS)


def parse_output(output: Output) -> Parsed:
    """Read an attempt's files, or an import's "stdout". Raises ToolError or OutputError."""
    data = output.files.get("stdout", b"")
    if len(data) > MAX_OUTPUT:
        raise OutputError(f"The output is larger than {MAX_OUTPUT // 1024**2} MiB.")
    said = as_text(output.files.get("stderr", b"")[-4_096:]).strip()
    if not data.strip():
        raise (
            ToolError(f"iperf said: {said[-300:]}") if said else OutputError("iperf left nothing.")
        )
    parsed = parse_bytes(data)
    if output.exit_code:
        warnings = (*parsed.warnings, f"iperf ended with exit code {output.exit_code}.")
        return dataclasses.replace(parsed, completeness="partial", warnings=warnings)
    return parsed


def parse_bytes(data: bytes) -> Parsed:
    """The format that these bytes are in."""
    text = as_text(data)
    if START.search(text):
        return parse_json(text)
    if any(LINE.match(line[:500]) for line in text[:_LOOKS].split("\n")):
        return parse_csv(text)
    return parse_text(text)
