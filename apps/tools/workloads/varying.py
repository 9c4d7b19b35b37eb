"""Varying parameters: those in which results differ, and those that vary while all else is equal,
which make a sweep. Four tests that differ in everything are none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from apps.tools.values import Parameters, Scalar

from .order import value_key


@dataclass(frozen=True)
class Varying:
    """One parameter: its values among the most workloads that differ in nothing else, in order,
    and those of them that are numbers.
    """

    values: tuple[Any, ...]
    numbers: tuple[float, ...]

    @property
    def is_number(self) -> bool:
        """Whether it has nothing but numbers: an axis, rather than a choice."""
        return len(self.numbers) == len(self.values)


def varying(points: Iterable[tuple[Hashable, Parameters]]) -> dict[str, Varying]:
    """The parameters that have several values where all others are equal. A point is its
    parameters, and a place: whatever else must be equal (the tool, the target, the tuning).
    """
    rows = list(points)
    every = list(dict.fromkeys(name for _place, params in rows for name in params))
    # By place and marks: equal rows count once, the last of them.
    marked = {
        (place, tuple(_mark(params.get(name)) for name in every)): params for place, params in rows
    }
    varied = [
        column for column in range(len(every)) if len({marks[column] for _, marks in marked}) > 1
    ]
    names = [every[column] for column in varied]
    kept = [
        (place, tuple(marks[column] for column in varied), params)
        for (place, marks), params in marked.items()
    ]
    found = {}
    for column, name in enumerate(names):
        alike: dict[Hashable, dict[str, Scalar]] = defaultdict(dict)
        for place, marks, params in kept:
            rest = (place, marks[:column], marks[column + 1 :])
            alike[rest][marks[column]] = params.get(name)
        most = max(alike.values(), key=lambda values: (len(_numbers(values.values())), len(values)))
        if len(most) > 1:
            values = sorted(most.values(), key=value_key)
            found[name] = Varying(tuple(values), tuple(_numbers(values)))
    return found


def differing(
    rows: Iterable[Parameters], without: Iterable[str] = (), *, said_only: bool = False
) -> list[str]:
    """The parameters in which these differ, whatever else does, in the order of the rows.
    `said_only`: rows that do not say a parameter do not differ in it.
    """
    rows, left_out = list(rows), set(without)
    if len(rows) < 2:
        return []
    found = []
    for name in dict.fromkeys(name for row in rows for name in row if name not in left_out):
        values = {_mark(row.get(name)) for row in rows if name in row or not said_only}
        found += [name] if len(values) > 1 else []
    return found


def axes(points: Iterable[tuple[Hashable, Parameters]]) -> dict[str, Varying]:
    """Those of them that have several numbers, so that a chart can be drawn along them."""
    return {name: one for name, one in varying(points).items() if len(one.numbers) > 1}


def _numbers(values: Iterable[Any]) -> list[float]:
    return [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]


def _mark(value: Any) -> str:
    return str(value)
