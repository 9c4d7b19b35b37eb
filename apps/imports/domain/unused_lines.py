"""Lines of a text that gave no figure, found by leaving them out: what is read without a line and
stays the same did not need it. This holds for every tool, and says nothing that was not tried.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from apps.imports.domain.parse_result import read_result
from apps.tools.parse_result import Parsed
from apps.tools.values import Parameters

MOST_LINES = 2_000
MOST_READINGS = 600
MOST_BYTES = 1024**2
MOST_SECONDS = 2.0
LONGEST_LINE = 300
Numbered = list[tuple[int, str]]


def unused_lines(data: bytes, *, tool: str, path_params: Parameters) -> tuple[Numbered, bool]:
    """(number from 1, text) of every line without which the figures are the same, blank ones left
    out; and whether all lines were tried. Of long texts only a part is.
    """
    lines = data.split(b"\n")
    if len(lines) > MOST_LINES or len(data) > MOST_BYTES:
        return [], False
    search = _Search(lines, tool, path_params)
    found = search.within(0, len(lines))
    texts = [(number + 1, lines[number].decode("utf-8", "replace").strip()) for number in found]
    return [(n, text[:LONGEST_LINE]) for n, text in texts if text], search.left > 0


class _Search:
    """Halves a text until a half can be left out or is one line."""

    def __init__(self, lines: Sequence[bytes], tool: str, path_params: Parameters) -> None:
        self._lines, self._tool, self._path_params = lines, tool, path_params
        self.left = MOST_READINGS
        self._until = time.monotonic() + MOST_SECONDS
        self._whole = self._figures(0, 0)

    def within(self, start: int, end: int) -> list[int]:
        """The lines from `start` on before `end` that gave nothing."""
        if time.monotonic() > self._until:
            self.left = 0  # a page waits for this
        if start >= end or self.left <= 0:
            return []
        if self._figures(start, end) == self._whole:
            return list(range(start, end))
        if end - start == 1:
            return []
        middle = (start + end) // 2
        return self.within(start, middle) + self.within(middle, end)

    def _figures(self, start: int, end: int) -> Any:
        """The figures that are read when these lines are left out."""
        self.left -= 1
        rest = b"\n".join([*self._lines[:start], *self._lines[end:]])
        return _essence(
            read_result({"stdout": rest}, tool=self._tool, path_params=self._path_params).parsed
        )


def _essence(parsed: Parsed | None) -> Any:
    """All that was read, without the lines it was read from."""
    if parsed is None:
        return None
    found = [{**vars(each), "lines": None} for each in parsed.measurements]
    return parsed.version, parsed.completeness, found
