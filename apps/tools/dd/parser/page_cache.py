"""Reads of a file that an earlier result of the same text left in the page cache: a planned test
without direct I/O begins with a cold one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from os.path import normpath

from .operands import meaning
from .results import Result


def earlier_commands(results: Sequence[Result], drops: Sequence[int]) -> list[str]:
    """For each result the operand of an earlier one that left its file in the cache, else an empty
    text. `drops`: the lines where somebody dropped the caches.
    """
    left: dict[str, tuple[int, str]] = {}
    found: list[str] = []
    for result in results:
        name, params = result.invocation.target, meaning(result.invocation).params
        cached = bool(name) and not result.invocation.is_device and not params.get("direct")
        target = normpath(name)
        line, words = left.get(target, (0, ""))
        dropped = bisect_right(drops, result.lines[1]) > bisect_right(drops, line)
        found.append(words if cached and params.get("rw") == "read" and not dropped else "")
        if cached:
            side = "if" if params.get("rw") == "read" else "of"
            left[target] = result.lines[1], f"{side}={name}"
    return found
