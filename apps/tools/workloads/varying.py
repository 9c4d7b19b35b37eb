"""Varying parameters: parameters in which results differ while all others are equal form a sweep.

Four tests that differ in all parameters form none.
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
    """Values of one parameter, in order, and those of them that are numbers.

    The values are those of the largest group of workloads that differ in nothing else.
    """

    values: tuple[Any, ...]
    numbers: tuple[float, ...]

    @property
    def is_number(self) -> bool:
        """Return True if all values are numbers: an axis rather than a choice."""
        return len(self.numbers) == len(self.values)


def varying(points: Iterable[tuple[Hashable, Parameters]]) -> dict[str, Varying]:
    """Return the parameters that have several values while all others are equal.

    A point is a pair: whatever else must be equal (tool, target, tuning), and its parameters.
    """
    rows = list(points)
    all_names = list(dict.fromkeys(name for _context, params in rows for name in params))
    # Equal rows count once; the last one is used.
    marked = {
        (context, tuple(_mark(params.get(name)) for name in all_names)): params
        for context, params in rows
    }
    varied = [
        column
        for column in range(len(all_names))
        if len({marks[column] for _, marks in marked}) > 1
    ]
    names = [all_names[column] for column in varied]
    rows_varied = [
        (context, tuple(marks[column] for column in varied), params)
        for (context, marks), params in marked.items()
    ]
    result = {}
    for column, name in enumerate(names):
        groups: dict[Hashable, dict[str, Scalar]] = defaultdict(dict)
        for context, marks, params in rows_varied:
            rest = (context, marks[:column], marks[column + 1 :])
            groups[rest][marks[column]] = params.get(name)
        largest = max(
            groups.values(), key=lambda values: (len(_numbers(values.values())), len(values))
        )
        if len(largest) > 1:
            values = sorted(largest.values(), key=value_key)
            result[name] = Varying(tuple(values), tuple(_numbers(values)))
    return result


def differing(
    rows: Iterable[Parameters], without: Iterable[str] = (), *, stated_only: bool = False
) -> list[str]:
    """Return the parameters in which the rows differ, in the order of the rows.

    `stated_only`: a row without a parameter does not differ in it.
    """
    rows, excluded = list(rows), set(without)
    if len(rows) < 2:
        return []
    names = []
    for name in dict.fromkeys(name for row in rows for name in row if name not in excluded):
        values = {_mark(row.get(name)) for row in rows if name in row or not stated_only}
        names += [name] if len(values) > 1 else []
    return names


def axes(points: Iterable[tuple[Hashable, Parameters]]) -> dict[str, Varying]:
    """Return the varying parameters with several numbers, which can be chart axes."""
    return {name: one for name, one in varying(points).items() if len(one.numbers) > 1}


def _numbers(values: Iterable[Any]) -> list[float]:
    return [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]


def _mark(value: Any) -> str:
    return str(value)
