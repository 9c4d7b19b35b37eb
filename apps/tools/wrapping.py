"""Join lines that a mail program or a page wrapped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

MAX_LINES = 4


def joined(lines: Iterable[str], goes_on: Callable[[str, str], bool]) -> Iterator[tuple[str, int]]:
    """Yield each original line with the number of lines it takes.

    `goes_on(line, rest)` returns True if `rest` continues `line`, which may already be joined of
    several lines.
    """
    whole, count = "", 0
    for line in lines:
        if count and count < MAX_LINES and goes_on(whole, line):
            whole, count = f"{whole.rstrip()} {line.lstrip()}", count + 1
            continue
        if count:
            yield whole, count
        whole, count = line, 1
    if count:
        yield whole, count
