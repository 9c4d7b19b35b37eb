"""From repeats to groups: one workload and operation in one place, its repeats by level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.compare.levels import (
    Levels,
    Place,
    where,
    workload_key_of,
)
from apps.analysis.compare.question import Question
from apps.analysis.compare.repeats import Point, Repeat
from apps.plans.cases.labels import Labelled, told_apart
from apps.tools.order import Key, name_key, operation_key, workload_order
from apps.tools.params import canonical_key
from apps.tools.registry import measures_network

Sides = dict[str, list[Repeat]]


@dataclass(frozen=True)
class Group:
    """`sides`: repeats by level, ordered by time, the baseline's first. `slug` names the group in
    addresses and stays the same as long as its place does.
    """

    slug: str
    workload: str
    label: str
    operation: str
    where: str
    sides: Mapping[str, Sequence[Repeat]]

    @property
    def of_network(self) -> bool:
        """Whether its rates are a network's: every repeat of a group is one tool's."""
        first = next((repeat for side in self.sides.values() for repeat in side), None)
        return first is not None and measures_network(first.point.tool)


@dataclass(frozen=True)
class Grouped:
    """`alone`: results that no other level has anything to set against."""

    groups: tuple[Group, ...]
    alone: int


def group_repeats(repeats: Sequence[Repeat], levels: Levels, question: Question) -> Grouped:
    """Match by workload and operation, each host, disk and tuning for itself.

    Where no place has two levels (each level on another host, say), the places are taken
    together: the guard then says in what they differ.
    """
    by_workload: dict[tuple[str, str], dict[str, Sides]] = defaultdict(dict)
    for repeat in repeats:
        key = workload_key_of(repeat.point, question)
        places = by_workload[(key, repeat.operation)]
        sides = places.setdefault(where(repeat, question.factor), defaultdict(list))
        sides[levels.of(repeat)].append(repeat)
    found: list[tuple[Place, Sides]] = []
    alone = 0
    for (key, operation), places in by_workload.items():
        for place, sides in _shared(places, levels):
            if levels.baseline in sides and len(sides) > 1:
                found.append(((key, operation, place), sides))
            else:
                alone += sum(map(len, sides.values()))
    return Grouped(tuple(_named(found, levels, question)), alone)


def _shared(places: dict[str, Sides], levels: Levels) -> list[tuple[str, Sides]]:
    whole = [sides for sides in places.values() if levels.baseline in sides and len(sides) > 1]
    if whole or len(places) == 1:
        return sorted(places.items())
    together: Sides = defaultdict(list)
    for sides in places.values():
        for level, repeats in sides.items():
            together[level] += repeats
    for repeats in together.values():
        repeats.sort(key=lambda repeat: (repeat.at, repeat.measurement))
    return [("", together)]


def _named(found: list[tuple[Place, Sides]], levels: Levels, question: Question) -> list[Group]:
    points = {key: _first(sides).point for (key, _operation, _where), sides in found}
    labels = told_apart(
        {key: Labelled(p.tool, p.params, p.label) for key, p in points.items()},
        without=question.param,
    )
    mixed = _with_several(found)
    several_places = len({place for (_key, _operation, place), _sides in found}) > 1
    groups = []
    for (key, operation, place), sides in sorted(found, key=_by_value(points, question.param)):
        label = f"{labels[key]} · {operation}" if key in mixed else labels[key]
        slug = canonical_key({"key": key, "operation": operation, "where": place})[:12]
        ordered = {level: sides[level] for level in levels.labels if level in sides}
        groups.append(Group(slug, key, label, operation, place if several_places else "", ordered))
    return groups


def _first(sides: Sides) -> Repeat:
    return next(repeat for side in sides.values() for repeat in side)


def _by_value(
    points: Mapping[str, Point], without: str
) -> Callable[[tuple[Place, Sides]], tuple[Key, ...]]:
    """Workloads by the values of their parameters, operations as their tool speaks of them."""

    def key(row: tuple[Place, Sides]) -> tuple[Key, ...]:
        (workload, operation, place), _sides = row
        point = points[workload]
        by_params = workload_order(point.tool, point.params, without)
        return by_params, operation_key(point.tool, operation), name_key(place)

    return key


def _with_several(found: list[tuple[Place, Sides]]) -> set[str]:
    """Workloads with more than one operation (a mix of reads and writes): their labels say it."""
    operations: dict[str, set[str]] = defaultdict(set)
    for (key, operation, _where), _sides in found:
        operations[key].add(operation)
    return {key for key, names in operations.items() if len(names) > 1}
