"""Rank conditions by how well they fit the affected repeats. Pure.

The fit describes which repeats had a condition. It never proves a cause: repeats that were not
assigned at random can agree by chance, or because something else changed with both.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analysis.causes.kinds import Kind
from apps.stats.contingency import split_probability

Value = float | str
MIN_FIT = 0.25
"""Limit of the score below which a condition is not listed: the affected repeats hardly differ."""
WEAK_INSIDE = 0.5
"""Weight of a condition that contradicts the values inside the levels."""
INSIDE_LEVEL = 0.05
"""One-sided probability of a rank correlation inside the levels below which it counts."""
MIN_INSIDE_REPEATS = 4


@dataclass(frozen=True)
class AffectedRepeat:
    """Repeat of a difference.

    `slowness`: the metric's value with its sign, so that more is worse. `level`: of the compared
    factor; empty without one.
    """

    key: int
    affected: bool
    slowness: float
    level: str = ""


@dataclass(frozen=True)
class Condition:
    """A condition with its value in each repeat; a repeat without a known value is absent.

    Text values are categories. Of numbers only more than usual may explain a difference;
    `material`: the difference of medians from which a number has full weight.
    """

    kind: Kind
    name: str
    values: Mapping[int, Value]
    material: float = 0.0
    unit: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Split:
    """Repeats that have a condition ("has"), of the affected ones and of the others."""

    has: frozenset[int]
    value: str
    threshold: float | None
    affected: tuple[int, int]
    others: tuple[int, int]

    @property
    def fit(self) -> float:
        """Return the difference of both shares, shrunk by half a repeat on each side.

        0.75 for three of three against none of three, 0.86 for six, 0.95 for twenty.
        """
        hits, total = self.affected
        false_hits, rest = self.others
        return (hits + 0.5) / (total + 1) - (false_hits + 0.5) / (rest + 1)


@dataclass(frozen=True)
class RankedCondition:
    """Condition with its fit.

    `equals_factor`: the repeats with it are exactly those of some levels, so these repeats cannot
    tell it from the compared factor. `is_small`: the numbers differ by less than is material.
    `inside`: rank correlation with the values inside the levels;
    None if the condition does not vary there. `inside_sign`: its sign, 0 if it may be chance.
    `p`: exact probability of such a fit by chance, corrected for the number of possible splits of
    this condition.
    """

    condition: Condition
    split: Split
    weight: float
    is_small: bool
    equals_factor: bool
    inside: float | None
    inside_sign: int
    p: float

    @property
    def score(self) -> float:
        return self.split.fit * self.weight

    @cached_property
    def rank(self) -> tuple[float, int, str]:
        order = list(Kind).index(self.condition.kind)
        return (-round(self.score, 6), order, self.condition.name)


def rank_conditions(
    repeats: Sequence[AffectedRepeat], conditions: Iterable[Condition]
) -> list[RankedCondition]:
    """Return the conditions that fit the affected repeats, the best first."""
    rows = [ranked for one in conditions if (ranked := _ranked(repeats, one)) is not None]
    return sorted((row for row in rows if row.score >= MIN_FIT), key=lambda row: row.rank)


def _ranked(repeats: Sequence[AffectedRepeat], condition: Condition) -> RankedCondition | None:
    known = [one for one in repeats if one.key in condition.values]
    if not any(one.affected for one in known) or all(one.affected for one in known):
        return None
    splits = list(_splits(known, condition))
    best = max(splits, key=lambda split: split.fit, default=None)
    if best is None:
        return None
    inside = inside_correlation(known, condition, best)
    weight = size = _materiality(known, condition)
    sign = _inside_sign(known, inside)
    if sign < 0:
        weight *= WEAK_INSIDE
    p = split_probability(best.affected, best.others)
    equals, chance = _equals_factor(known, best), min(1.0, p * len(splits))
    return RankedCondition(condition, best, weight, size < 1, equals, inside, sign, chance)


def _splits(repeats: Sequence[AffectedRepeat], condition: Condition) -> Iterable[Split]:
    """Yield every split: a number above each threshold, a category against all others."""
    values = condition.values
    numbers = sorted({v for one in repeats if not isinstance(v := values[one.key], str)})
    for low, high in itertools.pairwise(numbers):
        threshold = (low + high) / 2
        has = [one for one in repeats if _number(values[one.key]) > threshold]
        yield _split(repeats, has, "", threshold)
    categories = Counter(v for one in repeats if isinstance(v := values[one.key], str))
    if len(categories) < 2:
        return
    for value in sorted(categories):
        yield _split(repeats, [one for one in repeats if values[one.key] == value], value, None)


def _number(value: Value) -> float:
    return -math.inf if isinstance(value, str) else value


def _split(
    repeats: Sequence[AffectedRepeat],
    has: Sequence[AffectedRepeat],
    value: str,
    threshold: float | None,
) -> Split:
    total = sum(one.affected for one in repeats)
    hits = sum(one.affected for one in has)
    return Split(
        frozenset(one.key for one in has),
        value,
        threshold,
        (hits, total),
        (len(has) - hits, len(repeats) - total),
    )


def _materiality(repeats: Sequence[AffectedRepeat], condition: Condition) -> float:
    """Return 1 for categories and large differences of numbers, less for small differences."""
    numbers: dict[bool, list[float]] = {True: [], False: []}
    for one in repeats:
        value = condition.values[one.key]
        if isinstance(value, str):
            return 1.0
        numbers[one.affected].append(value)
    if condition.material <= 0:
        return 1.0
    difference = _mean(numbers[True]) - _mean(numbers[False])
    return min(1.0, max(0.0, difference) / condition.material)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _equals_factor(repeats: Sequence[AffectedRepeat], split: Split) -> bool:
    """Return True if a level either has the condition in all its repeats or in none."""
    levels: dict[str, set[bool]] = {}
    for one in repeats:
        levels.setdefault(one.level, set()).add(one.key in split.has)
    return len(levels) > 1 and all(len(each) == 1 for each in levels.values())


def inside_correlation(
    repeats: Sequence[AffectedRepeat], condition: Condition, split: Split
) -> float | None:
    """Return the rank correlation of condition and slowness inside the levels.

    Ranks are centred in each level, so that the levels themselves do not count. None with fewer
    than four repeats, or if the condition is constant in every level.
    """
    levels: dict[Hashable, list[AffectedRepeat]] = {}
    for one in repeats:
        levels.setdefault(one.level, []).append(one)
    if len(levels) < 2:
        return None
    x: list[float] = []
    y: list[float] = []
    for rows in levels.values():
        x += _centred_ranks([_strength(condition, split, one.key) for one in rows])
        y += _centred_ranks([one.slowness for one in rows])
    if len(x) < MIN_INSIDE_REPEATS:
        return None
    spread = math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))
    return sum(a * b for a, b in zip(x, y, strict=True)) / spread if spread else None


def _inside_sign(repeats: Sequence[AffectedRepeat], correlation: float | None) -> int:
    """Return the sign of a correlation inside the levels; 0 if it may be chance.

    Each level costs a degree of freedom, as its ranks are centred.
    """
    freedom = len(repeats) - len({one.level for one in repeats}) - 1
    if correlation is None or freedom < 1:
        return 0
    rest = max(1e-12, 1 - correlation**2)
    from scipy.stats import t as student  # half a second to load

    chance = student.sf(abs(correlation) * math.sqrt(freedom / rest), freedom)
    return int(math.copysign(1, correlation)) if chance < INSIDE_LEVEL else 0


def _strength(condition: Condition, split: Split, key: int) -> float:
    value = condition.values[key]
    return float(key in split.has) if isinstance(value, str) else value


def _centred_ranks(values: Sequence[float]) -> list[float]:
    """Return mid-ranks minus their mean."""
    ordered = sorted(values)
    center = (len(values) - 1) / 2
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 - center for value in values]
