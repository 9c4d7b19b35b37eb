"""Affected repeats: those of the slower level, or the slow ones of a level in two groups. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from apps.analysis.causes.ranking import AffectedRepeat

MIN_IN_GROUPS = 6
"""Limit of repeats of a level below which it is never split in two groups."""
MIN_GROUP = 2
GAP_RATIO = 2.0
"""Limit of the gap between two groups over the wider of them, from which they are two."""
MIN_GAP = math.log(1.1)
"""Limit of the gap between two groups: 10 %."""


@dataclass(frozen=True)
class MeasuredRepeat:
    """Value of one repeat, positive. `key`: of the measurement."""

    key: int
    value: float
    level: str = ""


@dataclass(frozen=True)
class AffectedRepeats:
    """Repeats of a difference. `in_groups`: they are the slow ones inside the levels."""

    repeats: tuple[AffectedRepeat, ...]
    in_groups: bool = False

    @property
    def affected(self) -> int:
        return sum(one.affected for one in self.repeats)

    @property
    def others(self) -> int:
        return len(self.repeats) - self.affected


def affected_repeats(
    repeats: Sequence[MeasuredRepeat], *, higher_is_better: bool, levels_differ: bool = True
) -> AffectedRepeats | None:
    """Return the affected repeats of levels; None if no level is slower than another.

    Slow groups inside the levels need another explanation than the factor. They come first if
    they explain more of the variance than the levels, or if no verdict shows that these differ
    (`levels_differ`).
    """
    measured = [one for one in repeats if _is_usable(one)]
    sign = -1.0 if higher_is_better else 1.0
    slowness = {one.key: sign * math.log(one.value) for one in measured}
    levels: dict[str, list[int]] = {}
    for one in measured:
        levels.setdefault(one.level, []).append(one.key)
    groups = set().union(*(_slow_group(keys, slowness) for keys in levels.values()))
    slowest = _slowest_level(levels, slowness) if levels_differ else set()
    if groups and _explained(groups, slowness) >= _explained(slowest, slowness):
        return _marked(measured, slowness, groups, in_groups=True)
    return _marked(measured, slowness, slowest, in_groups=False) if slowest else None


def _slowest_level(levels: Mapping[str, list[int]], slowness: Mapping[int, float]) -> set[int]:
    """Return the repeats of the slowest level; none if all are equal."""
    medians = {level: median(slowness[key] for key in keys) for level, keys in levels.items()}
    slowest = max(medians, key=lambda level: medians[level], default="")
    if not medians or medians[slowest] == min(medians.values()):
        return set()
    return set(levels[slowest])


def _explained(slow: set[int], slowness: Mapping[int, float]) -> float:
    """Return the sum of squares between these repeats and the others."""
    sides = [[v for key, v in slowness.items() if (key in slow) is side] for side in (True, False)]
    if not all(sides):
        return 0.0
    sizes = [len(each) for each in sides]
    difference = fmean(sides[0]) - fmean(sides[1])
    return float(sizes[0] * sizes[1] / sum(sizes) * difference**2)


def changed_repeats(
    before: Sequence[MeasuredRepeat], after: Sequence[MeasuredRepeat], *, higher_is_better: bool
) -> AffectedRepeats:
    """Return the repeats around a change; the affected ones are those of the slower side.

    After an improvement these are the repeats before it: a load that ended explains them.
    """
    sign = -1.0 if higher_is_better else 1.0
    sides = [[one for one in side if _is_usable(one)] for side in (before, after)]
    slowness = {one.key: sign * math.log(one.value) for side in sides for one in side}
    # With an empty side nothing is compared; the repeats after the change are marked.
    middles = [median(slowness[one.key] for one in side) for side in sides if side]
    slow = sides[0] if len(middles) == 2 and middles[0] > middles[1] else sides[1]
    return _marked([*sides[0], *sides[1]], slowness, {one.key for one in slow}, in_groups=False)


def _is_usable(repeat: MeasuredRepeat) -> bool:
    return repeat.value > 0 and math.isfinite(repeat.value)


def _marked(
    repeats: Sequence[MeasuredRepeat],
    slowness: Mapping[int, float],
    slow: set[int],
    *,
    in_groups: bool,
) -> AffectedRepeats:
    return AffectedRepeats(
        tuple(
            AffectedRepeat(one.key, one.key in slow, slowness[one.key], one.level)
            for one in repeats
        ),
        in_groups,
    )


def _slow_group(keys: Sequence[int], slowness: Mapping[int, float]) -> set[int]:
    """Return the slow ones of a level whose values form two groups with a wide gap between."""
    if len(keys) < MIN_IN_GROUPS:
        return set()
    ordered = sorted(keys, key=lambda key: slowness[key])
    values = [slowness[key] for key in ordered]
    gaps = [high - low for low, high in pairwise(values)]
    inner = range(MIN_GROUP - 1, len(gaps) - MIN_GROUP + 1)
    widest = max(inner, key=lambda at: gaps[at])
    fast, slow = values[: widest + 1], values[widest + 1 :]
    reach = max(fast[-1] - fast[0], slow[-1] - slow[0])
    if gaps[widest] < MIN_GAP or gaps[widest] < GAP_RATIO * reach:
        return set()
    return set(ordered[widest + 1 :])
