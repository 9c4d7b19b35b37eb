"""Fleet: targets with the median of their newest run, their peers, and outliers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from apps.stats.outliers import outliers
from apps.tools.workloads.order import name_key


@dataclass(frozen=True)
class TargetResults:
    """Target with the values of its newest run, in the metric's unit.

    `group`: model, firmware, slot or host that defines its peers; `target`: None for imports.
    """

    name: str
    group: str
    values: tuple[float, ...]
    at: datetime
    case: int
    host: str = ""
    model: str = ""
    firmware: str = ""
    slot: str = ""
    target: int | None = None

    @property
    def median(self) -> float:
        return median(self.values)


@dataclass(frozen=True)
class RankedTarget:
    """Target with its number of peers, its median over theirs, and whether it is an outlier."""

    target: TargetResults
    peers: int
    ratio: float | None
    is_outlier: bool


@dataclass(frozen=True)
class FleetGroup:
    """Targets with equal `group`: minimum, median and maximum of their medians."""

    name: str
    targets: int
    minimum: float
    median: float
    maximum: float
    outliers: int


@dataclass(frozen=True)
class Fleet:
    """Ranked targets, the best first; `groups` by name."""

    targets: tuple[RankedTarget, ...] = ()
    groups: tuple[FleetGroup, ...] = ()

    @property
    def outliers(self) -> list[RankedTarget]:
        """Return the outliers, the farthest first."""
        result = [one for one in self.targets if one.is_outlier and one.ratio]
        return sorted(result, key=lambda one: -max(one.ratio or 1, 1 / (one.ratio or 1)))


def fleet_of(targets: Iterable[TargetResults], *, higher_is_better: bool | None) -> Fleet:
    """Return the ranking; the largest first if the metric has no better direction."""
    groups: dict[str, list[TargetResults]] = {}
    for target in targets:
        groups.setdefault(target.group, []).append(target)
    names = sorted(groups, key=name_key)
    flags = outliers([[target.median for target in groups[name]] for name in names])
    placed = {name: _ranked(groups[name], far) for name, far in zip(names, flags, strict=True)}
    every = [one for rows in placed.values() for one in rows]
    side = 1 if higher_is_better is False else -1
    every.sort(key=lambda one: (side * one.target.median, name_key(one.target.name)))
    return Fleet(tuple(every), tuple(_group(name, placed[name]) for name in names))


def _ranked(targets: Sequence[TargetResults], far: Sequence[bool]) -> list[RankedTarget]:
    values = [target.median for target in targets]
    return [
        RankedTarget(target, len(targets) - 1, _ratio(values, index), far[index])
        for index, target in enumerate(targets)
    ]


def _ratio(values: Sequence[float], index: int) -> float | None:
    """Return a value over the median of the others."""
    others = [*values[:index], *values[index + 1 :]]
    typical = median(others) if others else 0.0
    return values[index] / typical if typical else None


def _group(name: str, rows: Sequence[RankedTarget]) -> FleetGroup:
    values = [row.target.median for row in rows]
    far = sum(row.is_outlier for row in rows)
    return FleetGroup(name, len(rows), min(values), median(values), max(values), far)
