"""Measurements of a foreign file, parted into points: each becomes a case of the archive.

A point's identity is the workload's own (`params.workload_key`) where the output tells every
parameter a plan has, so that old results stand beside new ones. Elsewhere it is made of the tool
and of what is known: the first 16 digits of the SHA-256 of `{"known":{...},"tool":"<tool>"}`, equal
for everything of which the same is known. The two can never be equal, as the texts differ.

What is known includes the name of the job and the number of its group: five jobs without a word of
their parameters are five tests. A person may say that names mean nothing; then tests that only they
tell apart are repeats. What ran one after the other is never one point, whatever anybody says.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from apps.tools.base import Completeness, Field, Measurement, ParamsError, Parsed, Tool
from apps.tools.params import canonical_key, workload_key
from apps.tools.registry import TOOLS, size_params
from apps.tools.values import Parameters

from .naming import OPERATIONS, joined, known_parts

LONGEST_LABEL = 200
_WORST_FIRST: tuple[Completeness, ...] = ("partial", "unknown", "whole")
_PLAIN, _SHORT = (str, int, float, bool, type(None)), 2_000  # signs of all that is known


@dataclasses.dataclass(frozen=True)
class Point:
    """One workload that a file measured, and its measurements, each operation and part once.

    `exact`: every parameter is known. `occurrence` counts from 0 how often the same point came
    before in the file: each time is a result of its own. `nameless_key`: the key without the names
    of jobs, the same where they tell nothing apart. `call`: the call of the tool that printed all
    of its measurements, from 1. `target`: the disk, file, image, pool or host that they name, empty
    where they name none or several.
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

    @property
    def completeness(self) -> Completeness | None:
        """The worst state of its measurements; None where they leave it to the file."""
        states = {each.completeness for each in self.measurements} - {None}
        return next((state for state in _WORST_FIRST if state in states), None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The remarks about its measurements, each once."""
        return tuple(dict.fromkeys(text for each in self.measurements for text in each.warnings))

    def of(self, parsed: Parsed) -> Parsed:
        """This point alone of everything that was parsed."""
        return dataclasses.replace(parsed, measurements=self.measurements)


def points_of(parsed: Parsed, said: Parameters | None = None, *, names: bool = True) -> list[Point]:
    """The points of a file, in its order. `said`: parameters that somebody else tells, such as the
    names of folders; what the output says counts more. `names`: what jobs are called tells them
    apart where parameters are missing.

    A measurement of a part (a stream, a target) stands with the whole of the same operation.
    """
    room = TOOLS[parsed.tool]
    gathered = _Gathered()
    for whole in (found for found in parsed.measurements if not found.part):
        gathered.add(whole, _known(room, {**(said or {}), **whole.params}, whole))
    for part in (found for found in parsed.measurements if found.part):
        gathered.add_part(part, _known(room, {**(said or {}), **part.params}, part))
    points = [_point(room, *each, names=names) for each in gathered.points.values()]
    return list(_counted(points))


def _counted(points: Iterable[Point]) -> Iterable[Point]:
    """The points, each with how often the same one came before it."""
    seen: Counter[str] = Counter()
    for point in points:
        yield dataclasses.replace(point, occurrence=seen[point.key])
        seen[point.key] += 1


class _Gathered:
    """Measurements by what is known of their parameters and by their job; a repetition begins
    another point."""

    def __init__(self) -> None:
        self.points: dict[tuple[str, int], tuple[Parameters, list[Measurement]]] = {}
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def add(self, found: Measurement, known: Parameters) -> None:
        """Put a measurement to those of the same parameters and the same job."""
        self._put(_identity(found, known), found, known)

    def add_part(self, part: Measurement, known: Parameters) -> None:
        """Put it to its whole: of the same job, else of the same parameters, else of the same
        operation."""
        wholes = [
            (text, where)
            for (text, _index), (where, members) in self.points.items()
            if any(each.operation == part.operation and not each.part for each in members)
        ]
        own = _identity(part, known)
        same = [each for each in wholes if each[0] == own]
        alike = [each for each in wholes if each[1] == known]
        text, where = [*same, *alike, *wholes, (own, known)][0]
        self._put(text, part, where)

    def _put(self, text: str, found: Measurement, known: Parameters) -> None:
        place = (text, found.operation, found.part)
        _known, members = self.points.setdefault((text, self._seen[place]), (known, []))
        members.append(found)
        self._seen[place] += 1


def _identity(found: Measurement, known: Parameters) -> str:
    unread = sorted(found.unread_options)
    parts = [known, found.job, found.group, found.call, found.target, unread]
    return json.dumps(parts, sort_keys=True, default=str)


def point_again(points: list[Point], key: str, occurrence: int, index: int) -> Point | None:
    """The same point in a newer reading of the same file: by its key, or, where the parser knows
    more parameters by now, by its place.
    """
    same = [point for point in points if (point.key, point.occurrence) == (key, occurrence)]
    return same[0] if same else (points[index] if index < len(points) else None)


def _known(room: Tool, known: Parameters, found: Measurement) -> Parameters:
    """The parameters, with the operation where plans of the room name it as one and all others are
    known. (fio's `rw` is more than the operation: "read" may have been randread.)
    """
    for name in ("operation", "mode"):
        field = _fields(room).get(name)
        if name not in known and field is not None and found.operation in field.choices:
            named = known | {name: found.operation}
            return named if _exact(room, named) else known
    return known


def _fields(room: Tool) -> Mapping[str, Field]:
    return room.params.fields() if room.params else {}


def _point(room: Tool, known: Parameters, members: list[Measurement], *, names: bool) -> Point:
    operations = {member.operation for member in members}
    only = operations.pop() if len(operations) == 1 else ""
    called = _called(members[0]) if names else {}
    if not known and members[0].call > 1:
        # Two calls of which nothing is known are no repeats of each other.
        known = {"call": members[0].call}
    if unread := sorted({text for each in members for text in each.unread_options}):
        # No plan has this parameter: such a test is never an exactly known one.
        known = known | {"unread_options": " ".join(unread)}
    if TOOLS.get(room.name) is room and (told := _told(known)) is not None:
        point = _named_again(room.name, told, only, tuple(called.items()))
    else:
        point = _named(room, known, only, called)
    return dataclasses.replace(
        point,
        params=dict(point.params),
        measurements=tuple(members),
        call=members[0].call,
        target=_target(members),
    )


def _target(members: Iterable[Measurement]) -> str:
    names = {each.target for each in members if each.target}
    return names.pop() if len(names) == 1 else ""


def _told(known: Parameters) -> tuple[tuple[str, type, Any], ...] | None:
    """The parameters with the type of each, so that 1, 1.0 and true are three; None where it is not
    to be remembered.
    """
    told = tuple((name, type(value), value) for name, value in known.items())
    plain = all(kind in _PLAIN for _name, kind, _value in told)
    return told if plain and sum(len(str(value)) for _n, _k, value in told) < _SHORT else None


@lru_cache(maxsize=1024)  # most files of a folder measured the same few workloads
def _named_again(
    room: str, told: tuple[tuple[str, type, Any], ...], only: str, called: tuple[Any, ...]
) -> Point:
    known = {name: value for name, _type, value in told}
    return _named(TOOLS[room], known, only, dict(called))


def _named(room: Tool, known: Parameters, only: str, called: Parameters) -> Point:
    """The point of what is known, without measurements. `only`: their operation, where they have
    one; `called`: their job.
    """
    exact = _exact(room, known)
    if exact is not None:
        return Point(*exact, True, (), exact[0])
    if only and known.keys().isdisjoint(OPERATIONS):
        # A sequential and a random read of the same sizes are no repeats of each other.
        known = {"operation": only, **known}
    nameless = _known_key(room, known)
    known = known | called
    return Point(_known_key(room, known), _label(room, known), known, False, (), nameless)


def _known_key(room: Tool, known: Parameters) -> str:
    return canonical_key({"tool": room.name, "known": _plain(known)})


def _called(found: Measurement) -> Parameters:
    """Name of the job and number of its group. The first group's is left out: a test alone is in
    it as well."""
    return {name: value for name in ("job", "group") if (value := getattr(found, name))}


def _exact(room: Tool, known: Parameters) -> tuple[str, str, Parameters] | None:
    """Key, label and canonical parameters where everything a plan must say is known."""
    fields = _fields(room)
    if room.params is None:
        return None
    # What came later is no part of the identity while nobody sets it: neither need it be told.
    needed = {name for name, field in fields.items() if not field.optional}
    needed -= room.params.later.keys()
    if not needed or not needed <= known.keys() <= fields.keys():
        return None
    try:
        params = room.params.from_raw({name: known[name] for name in fields if name in known})
    except ParamsError:
        return None  # a test that benchlab itself would not run
    return workload_key(room.name, params), params.describe()[:LONGEST_LABEL], params.canonical()


def _plain(value: Any) -> Any:
    """The same value with every number that is whole as an integer: 4096.0 is 4096."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else repr(value)
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _label(room: Tool, known: Parameters) -> str:
    return (
        joined(known_parts(known, size_params(room.name)))[:LONGEST_LABEL] or "parameters unknown"
    )
