"""Duplicate results in one text, from an output that was pasted twice."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.tools.parse_result import Measurement

_ENOUGH_FIGURES = 12
"""Different numbers that results need to be recognised as duplicates.

Two calls can print the same few rounded numbers, such as three lines of dd at full line rate.
"""


def copies_of(results: Sequence[Sequence[Measurement]]) -> list[int | None]:
    """Return per call the index of an earlier call with equal results, else None."""
    earlier: dict[object, list[int]] = {}
    copies: list[int | None] = []
    for index, members in enumerate(results):
        candidates = earlier.setdefault(_fingerprint(members), [])
        copy = next((each for each in candidates if _is_copy(results[each], members)), None)
        copies.append(copy)
        if copy is None:
            candidates.append(index)
    return copies


def _fingerprint(members: Sequence[Measurement]) -> object:
    """Return a value that is fast to compute and equal for copies."""
    return tuple(
        (each.operation, each.component, each.job, each.target, each.bandwidth, each.iops)
        for each in members
    )


def _is_copy(first: Sequence[Measurement], second: Sequence[Measurement]) -> bool:
    if [_stated(each) for each in first] != [_stated(each) for each in second]:
        return False
    measured = [{**_stated(each), "params": {}} for each in second]
    return len(set(_numbers(measured))) >= _ENOUGH_FIGURES


def _stated(result: Measurement) -> dict[str, Any]:
    """Return all that the output states of a result, without its position in the text."""
    scalars = dataclasses.replace(result, call=1, group=None, lines=None, series=(), over_time=None)
    return {
        **dataclasses.asdict(scalars),
        "series": [
            (each.metric, each.start, each.interval, list(each.values)) for each in result.series
        ],
        "over_time": result.over_time and [list(row) for row in result.over_time.counts],
    }


def _numbers(value: object) -> Iterator[float]:
    """Yield all numbers inside nested values."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value
