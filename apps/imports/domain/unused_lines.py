"""Find input lines that no parser uses, by bisection.

A line is unused if parsing without it yields equal results. Stops after 2 s or 600 parses.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from apps.imports.domain.parse_result import read_result
from apps.tools.parse_result import Parsed
from apps.tools.values import Parameters

MAX_LINES = 2_000
MAX_READINGS = 600
MAX_BYTES = 1024**2
MAX_SECONDS = 2.0
MAX_LINE_LENGTH = 300
Numbered = list[tuple[int, str]]


def unused_lines(data: bytes, *, tool: str, path_params: Parameters) -> tuple[Numbered, bool]:
    """Return unused lines as (number from 1, text), and True if all lines were tried.

    Blank lines are omitted. Texts above 2,000 lines or 1 MiB are not searched.
    """
    lines = data.split(b"\n")
    if len(lines) > MAX_LINES or len(data) > MAX_BYTES:
        return [], False
    search = _Search(lines, tool, path_params)
    indices = search.within(0, len(lines))
    texts = [(number + 1, lines[number].decode("utf-8", "replace").strip()) for number in indices]
    return [(n, text[:MAX_LINE_LENGTH]) for n, text in texts if text], search.left > 0


class _Search:
    """Bisection of a text: a half is split until it is unused or one line."""

    def __init__(self, lines: Sequence[bytes], tool: str, path_params: Parameters) -> None:
        self._lines, self._tool, self._path_params = lines, tool, path_params
        self.left = MAX_READINGS
        self._deadline = time.monotonic() + MAX_SECONDS
        self._whole = self._figures(0, 0)

    def within(self, start: int, end: int) -> list[int]:
        """Return the indices of unused lines from `start` to before `end`."""
        if time.monotonic() > self._deadline:
            self.left = 0  # limits the response time of a page
        if start >= end or self.left <= 0:
            return []
        if self._figures(start, end) == self._whole:
            return list(range(start, end))
        if end - start == 1:
            return []
        centre = (start + end) // 2
        return self.within(start, centre) + self.within(centre, end)

    def _figures(self, start: int, end: int) -> Any:
        """Return what is parsed without these lines."""
        self.left -= 1
        rest = b"\n".join([*self._lines[:start], *self._lines[end:]])
        return _essence(
            read_result({"stdout": rest}, tool=self._tool, path_params=self._path_params).parsed
        )


def _essence(parsed: Parsed | None) -> Any:
    """Return the parsed values without line numbers, for comparison."""
    if parsed is None:
        return None
    measurements = [{**vars(each), "lines": None} for each in parsed.measurements]
    return parsed.version, parsed.completeness, measurements
