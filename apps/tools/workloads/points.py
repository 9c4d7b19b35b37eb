"""Results of an imported output, divided into points: each becomes a case of the archive.

A point holds what one call of the tool printed about one test. Two points are repeats where their
outputs state the same: same workload (`identity`) and same target. What is stated includes the name
of the job and the number of its group, as five jobs without parameters are five tests. A person may
choose to ignore names; tests that only names tell apart are repeats then.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence

from apps.tools.base import Completeness, Measurement, Parsed, Tool
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters

from .copies import copies_of
from .identity import stated_identity

_WORST_FIRST: tuple[Completeness, ...] = ("partial", "unknown", "whole")


@dataclasses.dataclass(frozen=True)
class Point:
    """One workload that an output measured, and its results, each operation and part once.

    `exact`: every parameter is known. `occurrence` counts from 0 how often the same point came
    before in the file: each time is a result of its own. `nameless_key`: the key without the names
    of jobs, the same where they tell nothing apart. `call`: the call of the tool that printed all
    of its results, from 1. `target`: the disk, file, image, pool or host that they name, empty
    where they name none or several. `same_as`: the index of the earlier point that this one is a
    copy of, as the text holds the same output twice.
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
        """The worst state of its results; None where they leave it to the file."""
        states = {each.completeness for each in self.measurements} - {None}
        return next((state for state in _WORST_FIRST if state in states), None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The remarks about its results, each once."""
        return tuple(dict.fromkeys(text for each in self.measurements for text in each.warnings))

    @property
    def lines(self) -> tuple[int, int] | None:
        """First and last line of its results in the text, from 1; None where they are unknown."""
        ranges = [each.lines for each in self.measurements if each.lines]
        if not ranges:
            return None
        return min(first for first, _last in ranges), max(last for _first, last in ranges)

    def of(self, parsed: Parsed) -> Parsed:
        """This point alone of everything that was parsed."""
        return dataclasses.replace(parsed, measurements=self.measurements)


def points_of(
    parsed: Parsed, extra: Parameters | None = None, *, names: bool = True
) -> list[Point]:
    """The points of a file, in its order. `extra`: parameters that are known from elsewhere, such
    as the names of folders; those that the output states take precedence. `names`: the names of
    jobs tell tests apart where parameters are missing.

    A result of a part (a stream, a target) stands with the whole of the same operation.
    """
    tool = TOOLS[parsed.tool]
    gathered = _Gathered()
    for whole in (each for each in parsed.measurements if not each.part):
        gathered.add(whole, _known(tool, {**(extra or {}), **whole.params}, whole))
    for part in (each for each in parsed.measurements if each.part):
        gathered.add_part(part, _known(tool, {**(extra or {}), **part.params}, part))
    return list(_counted([_point(tool, *each, names=names) for each in gathered.points.values()]))


def _counted(points: Sequence[Point]) -> Iterable[Point]:
    """The points, each with how often the same one came before it and with the one that it is a
    copy of.
    """
    seen: Counter[str] = Counter()
    earlier = _copies(points)
    for index, point in enumerate(points):
        yield dataclasses.replace(point, occurrence=seen[point.key], same_as=earlier.get(index))
        seen[point.key] += 1


def _copies(points: Sequence[Point]) -> dict[int, int]:
    """The points of calls whose whole output stands earlier in the text: index -> index there."""
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


class _Gathered:
    """Results by what is known of their parameters and by their job; a repetition begins another
    point.
    """

    def __init__(self) -> None:
        self.points: dict[tuple[str, int], tuple[Parameters, list[Measurement]]] = {}
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def add(self, result: Measurement, known: Parameters) -> None:
        """Add a result to those of the same parameters and the same job."""
        self._put(_mark(result, known), result, known)

    def add_part(self, part: Measurement, known: Parameters) -> None:
        """Add it to its whole: of the same job, else of the same parameters, else of the same
        operation.
        """
        wholes = [
            (text, where)
            for (text, _index), (where, members) in self.points.items()
            if any(each.operation == part.operation and not each.part for each in members)
        ]
        own = _mark(part, known)
        same = [each for each in wholes if each[0] == own]
        alike = [each for each in wholes if each[1] == known]
        text, where = [*same, *alike, *wholes, (own, known)][0]
        self._put(text, part, where)

    def _put(self, text: str, result: Measurement, known: Parameters) -> None:
        place = (text, result.operation, result.part)
        _known, members = self.points.setdefault((text, self._seen[place]), (known, []))
        members.append(result)
        self._seen[place] += 1


def _mark(result: Measurement, known: Parameters) -> str:
    unread = sorted(result.unread_options)
    parts = [known, result.job, result.group, result.call, result.target, unread]
    return json.dumps(parts, sort_keys=True, default=str)


def point_again(points: list[Point], key: str, occurrence: int, index: int) -> Point | None:
    """The same point in a newer reading of the same file: by its key, first at its index, or, where
    the parser reads more parameters by now, by its index alone.
    """
    if index < len(points) and points[index].key == key:
        return points[index]
    same = [point for point in points if (point.key, point.occurrence) == (key, occurrence)]
    return same[0] if same else (points[index] if index < len(points) else None)


def _known(tool: Tool, known: Parameters, result: Measurement) -> Parameters:
    """The parameters, with the operation where each operation is a workload of its own and all
    else is known. (fio's `rw` is more than the operation: "read" may have been randread.)
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
