"""Points of an imported output; each point becomes a case of the archive.

A point has the results of one call of the tool for one test. Two points are repeats if their
outputs state the same workload (`identity`) and the same target. The workload includes the name of
the job and the number of its group: five jobs without parameters are five tests. If a user ignores
names, tests that differ only in names are repeats.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence

from apps.tools.parse_result import Completeness, Measurement, Parsed
from apps.tools.registry import TOOLS
from apps.tools.tool import Tool
from apps.tools.values import Parameters

from .copies import copies_of
from .identity import stated_identity

_WORST_FIRST: tuple[Completeness, ...] = ("partial", "unknown", "whole")


@dataclasses.dataclass(frozen=True)
class Point:
    """One workload in an output with its results, each operation and component once.

    - `exact`: all parameters are known.
    - `nameless_key`: the key without the names of jobs, equal to `key` if they distinguish no
      tests.
    - `occurrence`: from 0, the number of earlier points of the file with the same key.
    - `call`: the call of the tool that printed the results, from 1.
    - `target`: the disk, file, image, pool or host in the results, empty for none or several.
    - `same_as`: index of the earlier point that this point duplicates, if the text has the same
      output twice.
    """

    key: str
    label: str
    params: Parameters
    exact: bool
    measurements: tuple[Measurement, ...]
    nameless_key: str
    occurrence: int = 0
    call: int = 1
    target: str = ""
    same_as: int | None = None

    @property
    def completeness(self) -> Completeness | None:
        """Return the worst state of the results; None if they have no state of their own."""
        states = {each.completeness for each in self.measurements} - {None}
        return next((state for state in _WORST_FIRST if state in states), None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the distinct warnings of the results."""
        return tuple(dict.fromkeys(text for each in self.measurements for text in each.warnings))

    @property
    def lines(self) -> tuple[int, int] | None:
        """Return the first and last line of the results, from 1; None if unknown."""
        ranges = [each.lines for each in self.measurements if each.lines]
        if not ranges:
            return None
        return min(first for first, _last in ranges), max(last for _first, last in ranges)

    def of(self, parsed: Parsed) -> Parsed:
        """Return a parsed output with this point's measurements only."""
        return dataclasses.replace(parsed, measurements=self.measurements)


def points_of(
    parsed: Parsed, extra: Parameters | None = None, *, names: bool = True
) -> list[Point]:
    """Return the points of a file, in its order.

    `extra`: parameters from elsewhere, such as folder names; parameters in the output take
    precedence. `names`: the names of jobs distinguish tests with missing parameters. A result of a
    component (a stream, a target) belongs to the point with the total of its operation.
    """
    tool = TOOLS[parsed.tool]
    gathered = _PointGroups()
    for whole in (each for each in parsed.measurements if not each.component):
        gathered.add(whole, _known(tool, {**(extra or {}), **whole.params}, whole))
    for component in (each for each in parsed.measurements if each.component):
        gathered.add_component(
            component, _known(tool, {**(extra or {}), **component.params}, component)
        )
    return list(
        _with_occurrences([_point(tool, *each, names=names) for each in gathered.points.values()])
    )


def _with_occurrences(points: Sequence[Point]) -> Iterable[Point]:
    """Return the points with `occurrence` and `same_as` set."""
    counts: Counter[str] = Counter()
    earlier = _copies(points)
    for index, point in enumerate(points):
        yield dataclasses.replace(point, occurrence=counts[point.key], same_as=earlier.get(index))
        counts[point.key] += 1


def _copies(points: Sequence[Point]) -> dict[int, int]:
    """Return the points of duplicate calls: index -> index of the original."""
    of_call: dict[int, list[int]] = {}
    for index, point in enumerate(points):
        of_call.setdefault(point.call, []).append(index)
    calls = list(of_call.values())
    results = [[each for index in call for each in points[index].measurements] for call in calls]
    copies: dict[int, int] = {}
    for call, earlier in zip(calls, copies_of(results), strict=True):
        if earlier is not None:
            copies |= zip(call, calls[earlier], strict=True)
    return copies


class _PointGroups:
    """Results grouped by known parameters and job; a repeated operation starts another point."""

    def __init__(self) -> None:
        self.points: dict[tuple[str, int], tuple[Parameters, list[Measurement]]] = {}
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def add(self, result: Measurement, known: Parameters) -> None:
        """Add a result to those with equal parameters and the same job."""
        self._put(_group_key(result, known), result, known)

    def add_component(self, component: Measurement, known: Parameters) -> None:
        """Add a component to its total, chosen by job, else by parameters, else by operation."""
        wholes = [
            (text, params)
            for (text, _index), (params, members) in self.points.items()
            if any(each.operation == component.operation and not each.component for each in members)
        ]
        mark = _group_key(component, known)
        same = [each for each in wholes if each[0] == mark]
        same_params = [each for each in wholes if each[1] == known]
        text, params = [*same, *same_params, *wholes, (mark, known)][0]
        self._put(text, component, params)

    def _put(self, text: str, result: Measurement, known: Parameters) -> None:
        counter = (text, result.operation, result.component)
        _known, members = self.points.setdefault((text, self._seen[counter]), (known, []))
        members.append(result)
        self._seen[counter] += 1


def _group_key(result: Measurement, known: Parameters) -> str:
    unread = sorted(result.unread_options)
    parts = [known, result.job, result.group, result.call, result.target, unread]
    return json.dumps(parts, sort_keys=True, default=str)


def point_again(points: list[Point], key: str, occurrence: int, index: int) -> Point | None:
    """Return the same point in a newer parse of the same file.

    The point is found by its key, preferably at its index. If a newer parser reads more parameters,
    so that no key matches, the point at the index is returned.
    """
    if index < len(points) and points[index].key == key:
        return points[index]
    same = [point for point in points if (point.key, point.occurrence) == (key, occurrence)]
    return same[0] if same else (points[index] if index < len(points) else None)


def _known(tool: Tool, known: Parameters, result: Measurement) -> Parameters:
    """Return the parameters with the operation if each operation is a workload of its own.

    The operation is added only if all else is known. (fio's `rw` states more than the operation:
    "read" may be randread.)
    """
    exact = tool.exact_params(known, result.operation) or {}
    names = [name for name in ("operation", "mode") if name in exact and name not in known]
    return known | {name: exact[name] for name in names}


def _point(tool: Tool, known: Parameters, members: list[Measurement], *, names: bool) -> Point:
    identity = stated_identity(tool, known, members, names=names)
    return Point(
        key=identity.key,
        label=identity.label,
        params=dict(identity.params),
        exact=identity.exact,
        measurements=tuple(members),
        nameless_key=identity.nameless_key,
        call=members[0].call,
        target=_target(members),
    )


def _target(members: Iterable[Measurement]) -> str:
    names = {each.target for each in members if each.target}
    return names.pop() if len(names) == 1 else ""
