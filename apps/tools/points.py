"""What a foreign file measured, parted into points: each becomes a case of the archive.

A point's identity is the workload's own (`params.workload_key`) where the output tells every
parameter a plan has, so that old results stand beside new ones. Elsewhere it is made of the tool
and of what is known: the first 16 digits of the SHA-256 of `{"known":{...},"tool":"<tool>"}`, equal
for everything of which the same is known. The two can never be equal, as the texts differ.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .base import JSON, Field, Measurement, ParamsError, Parsed, Tool
from .params import canonical_key, format_size, workload_key
from .registry import TOOLS

_SIZES = frozenset({"bs", "size", "op_size", "object_size", "file_size", "record_size", "length"})
_NAMES_OPERATION = frozenset({"rw", "operation", "mode", "direction"})
LONGEST_LABEL = 200


@dataclasses.dataclass(frozen=True)
class Point:
    """One workload that a file measured, and its measurements, each operation and part once.

    `exact`: every parameter is known. `occurrence` counts from 0 how often the same point came
    before in the file: each time is a result of its own.
    """

    key: str
    label: str
    params: JSON
    exact: bool
    occurrence: int
    measurements: tuple[Measurement, ...]

    def of(self, parsed: Parsed) -> Parsed:
        """This point alone of everything that was parsed."""
        return dataclasses.replace(parsed, measurements=self.measurements)


def points_of(parsed: Parsed, said: JSON | None = None) -> list[Point]:
    """The points of a file, in its order. `said`: parameters that somebody else tells, such as the
    names of folders; what the output says counts more.

    A measurement of a part (a stream, a target) stands with the whole of the same operation.
    """
    room = TOOLS[parsed.tool]
    gathered = _Gathered()
    for whole in (found for found in parsed.measurements if not found.part):
        gathered.add(whole, _known(room, {**(said or {}), **whole.params}, whole))
    for part in (found for found in parsed.measurements if found.part):
        known = _known(room, {**(said or {}), **part.params}, part)
        gathered.add(part, gathered.whole_of(part, known))
    return [
        _point(room, known, members, occurrence)
        for (_text, occurrence), (known, members) in gathered.points.items()
    ]


class _Gathered:
    """Measurements by what is known of their parameters; a repetition begins another point."""

    def __init__(self) -> None:
        self.points: dict[tuple[str, int], tuple[JSON, list[Measurement]]] = {}
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def add(self, found: Measurement, known: JSON) -> None:
        """Put a measurement to those of the same parameters."""
        text = json.dumps(known, sort_keys=True, default=str)
        place = (text, found.operation, found.part)
        _known, members = self.points.setdefault((text, self._seen[place]), (known, []))
        members.append(found)
        self._seen[place] += 1

    def whole_of(self, part: Measurement, known: JSON) -> JSON:
        """The parameters of the whole that a part belongs to; its own where there is none."""
        fitting = [
            where
            for where, members in self.points.values()
            if any(each.operation == part.operation and not each.part for each in members)
        ]
        return known if known in fitting or not fitting else fitting[0]


def point_again(points: list[Point], key: str, occurrence: int, index: int) -> Point | None:
    """The same point in a newer reading of the same file: by its key, or, where the parser knows
    more parameters by now, by its place.
    """
    same = [point for point in points if (point.key, point.occurrence) == (key, occurrence)]
    return same[0] if same else (points[index] if index < len(points) else None)


def _known(room: Tool, known: JSON, found: Measurement) -> JSON:
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


def _point(room: Tool, known: JSON, members: list[Measurement], occurrence: int) -> Point:
    exact = _exact(room, known)
    if exact is not None:
        return Point(*exact, True, occurrence, tuple(members))
    operations = {member.operation for member in members}
    if len(operations) == 1 and not _NAMES_OPERATION & known.keys():
        # A sequential and a random read of the same sizes are no repeats of each other.
        known = {"operation": operations.pop(), **known}
    key = canonical_key({"tool": room.name, "known": _plain(known)})
    return Point(key, _label(known), known, False, occurrence, tuple(members))


def _exact(room: Tool, known: JSON) -> tuple[str, str, JSON] | None:
    """Key, label and canonical parameters where everything a plan must say is known."""
    fields = _fields(room)
    needed = {name for name, field in fields.items() if not field.optional}
    if room.params is None or not needed or not needed <= known.keys() <= fields.keys():
        return None
    try:
        params = room.params.from_raw({name: known[name] for name in fields if name in known})
    except ParamsError:
        return None  # a test that benchlab itself would not run
    return workload_key(room.name, params), params.describe()[:LONGEST_LABEL], params.canonical()


def _plain(value: Any) -> Any:
    """The same JSON with every number that is whole as an integer: 4096.0 is 4096."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else repr(value)
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _label(known: JSON) -> str:
    return ", ".join(_words(known.items()))[:LONGEST_LABEL] or "parameters unknown"


def _words(items: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in items:
        if name in _NAMES_OPERATION:
            yield str(value)
        elif isinstance(value, bool):
            yield name if value else f"no {name}"
        elif name in _SIZES and isinstance(value, int):
            yield f"{name} {format_size(value)}"
        else:
            yield f"{name} {value}"
