"""Affected repeats: those of the slower level, or the slow ones of a level in two groups. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

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
    repeats: Sequence[MeasuredRepeat], *, higher_is_better: bool
) -> AffectedRepeats | None:
    """Return the affected repeats of levels; None if no level is slower than another.

    A level in two groups comes first: its slow repeats need another explanation than the factor.
    """
    measured = [one for one in repeats if one.value > 0 and math.isfinite(one.value)]
    sign = -1.0 if higher_is_better else 1.0
    slowness = {one.key: sign * math.log(one.value) for one in measured}
    levels: dict[str, list[int]] = {}
    for one in measured:
        levels.setdefault(one.level, []).append(one.key)
    slow = set().union(*(_slow_group(keys, slowness) for keys in levels.values()))
    if slow:
        return _marked(measured, slowness, slow, in_groups=True)
    if len(levels) < 2:
        return None
    medians = {level: median(slowness[key] for key in keys) for level, keys in levels.items()}
    slowest = max(medians, key=lambda level: medians[level])
    if medians[slowest] == min(medians.values()):
        return None
    return _marked(measured, slowness, set(levels[slowest]), in_groups=False)


def changed_repeats(
    before: Sequence[MeasuredRepeat], after: Sequence[MeasuredRepeat], *, higher_is_better: bool
) -> AffectedRepeats:
    """Return the repeats around a change; those after it are the affected ones.

    Their slowness has the direction of the change, so that an improvement is explained as well.
    """
    sign = -1.0 if higher_is_better else 1.0
    measured = [one for one in (*before, *after) if one.value > 0 and math.isfinite(one.value)]
    slowness = {one.key: sign * math.log(one.value) for one in measured}
    return _marked(measured, slowness, {one.key for one in after}, in_groups=False)


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
