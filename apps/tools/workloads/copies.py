"""Results that a text holds twice, as somebody pasted the same output again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.tools.base import Measurement

_ENOUGH_FIGURES = 12
"""Two calls can print the same few rounded figures, such as three lines of dd at full line rate. So
many different figures are equal in copies of one output only."""


def copies_of(results: Sequence[Sequence[Measurement]]) -> list[int | None]:
    """For each call's results the index of the earlier call that printed the same, else None."""
    earlier: dict[object, list[int]] = {}
    copies: list[int | None] = []
    for index, members in enumerate(results):
        alike = earlier.setdefault(_mark(members), [])
        copy = next((each for each in alike if _is_copy(results[each], members)), None)
        copies.append(copy)
        if copy is None:
            alike.append(index)
    return copies


def _mark(members: Sequence[Measurement]) -> object:
    """A value that copies share and that is fast to compute."""
    return tuple(
        (each.operation, each.part, each.job, each.target, each.bandwidth, each.iops)
        for each in members
    )


def _is_copy(first: Sequence[Measurement], second: Sequence[Measurement]) -> bool:
    if [_printed(each) for each in first] != [_printed(each) for each in second]:
        return False
    measured = [{**_printed(each), "params": {}} for each in second]
    return len(set(_numbers(measured))) >= _ENOUGH_FIGURES


def _printed(result: Measurement) -> dict[str, Any]:
    """All that the output says of a result, without its position in the text."""
    scalars = dataclasses.replace(result, call=1, group=None, lines=None, series=(), over_time=None)
    return {
        **dataclasses.asdict(scalars),
        "series": [
            (each.metric, each.start, each.interval, list(each.values)) for each in result.series
        ],
        "over_time": result.over_time and [list(row) for row in result.over_time.counts],
    }


def _numbers(value: object) -> Iterator[float]:
    """All numbers inside nested values."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value
