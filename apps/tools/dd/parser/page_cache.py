"""Find reads of a file that an earlier result of the same text left in the page cache.

A planned test without direct I/O starts with a cold cache.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from os.path import normpath

from .operands import meaning
from .results import Result


def earlier_commands(results: Sequence[Result], drops: Sequence[int]) -> list[str]:
    """Return for each result the operand of an earlier one that cached its file, else "".

    `drops`: line numbers where the caches were dropped.
    """
    cached_by: dict[str, tuple[int, str]] = {}
    earlier: list[str] = []
    for result in results:
        name, params = result.invocation.target, meaning(result.invocation).params
        cached = bool(name) and not result.invocation.is_device and not params.get("direct")
        target = normpath(name)
        line, operand = cached_by.get(target, (0, ""))
        dropped = bisect_right(drops, result.lines[1]) > bisect_right(drops, line)
        earlier.append(operand if cached and params.get("rw") == "read" and not dropped else "")
        if cached:
            side = "if" if params.get("rw") == "read" else "of"
            cached_by[target] = result.lines[1], f"{side}={name}"
    return earlier
