"""Lines that a mailer or a page wrapped, joined again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

MOST_LINES = 4


def joined(lines: Iterable[str], goes_on: Callable[[str, str], bool]) -> Iterator[tuple[str, int]]:
    """Each line as it was printed, with the number of lines that it takes. `goes_on(line, rest)`:
    whether `rest` belongs to `line`, which may be joined of several already.
    """
    whole, count = "", 0
    for line in lines:
        if count and count < MOST_LINES and goes_on(whole, line):
            whole, count = f"{whole.rstrip()} {line.lstrip()}", count + 1
            continue
        if count:
            yield whole, count
        whole, count = line, 1
    if count:
        yield whole, count
