"""Draw the order of a plan's cases.

"listed": step, sweep point, target, tuning profile, repeat. "interleaved": random blocks
(blocks.py). Inside a block steps and targets keep their order, because a later step may read what
an earlier one wrote. The repeats of all profiles of a point are shuffled, so that drift is not
attributed to a profile. Levels of another factor are shuffled with them (exchangeable_levels.py).
If a profile restarts daemons, a block has the profiles in random order, each with all its tests.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from apps.plans.domain.blocks import block_sizes
from apps.plans.domain.command_totals import Procedures
from apps.plans.domain.exchangeable_levels import permutation_groups, permutation_key
from apps.plans.domain.restarts import shares_restarts
from apps.plans.schemas.factors import TUNING
from apps.plans.schemas.plan import INTERLEAVED
from apps.plans.schemas.planned import PlannedBackground, PlannedPlan, PlannedTuning
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.values import Parameters

Level = TypeVar("Level")


@dataclass(frozen=True)
class WorkloadPoint:
    """One workload of a step on one target: what its repeats and tuning profiles have in common."""

    step: int | None
    name: str
    tool: str
    params: Parameters
    key: str
    label: str
    target: PlannedTarget
    procedures: Procedures
    background: PlannedBackground | None = None


@dataclass(frozen=True)
class OrderedCase:
    """A case at its position: a point under a tuning profile, its repeat and its random block."""

    point: WorkloadPoint
    tuning: PlannedTuning
    repeat: int
    block: int


def case_order(
    plan: PlannedPlan, points: Sequence[WorkloadPoint], seed: int
) -> Iterator[OrderedCase]:
    """Return the cases of the points in order of execution."""
    if plan.spec.planned_order == INTERLEAVED:
        return _interleaved(plan, points, seed)
    return _listed(plan, points)


def draw_block(
    groups: Iterable[Sequence[Level]], repeats: int, *, seed: int | None, block: int
) -> Iterator[Level]:
    """Yield the levels of each group in random order, each `repeats` times.

    Each block has its own random numbers, so a block added later does not change earlier ones.
    """
    generator = random.Random(f"{seed} {block}")
    for levels in groups:
        drawn = [level for level in levels for _repeat in range(repeats)]
        generator.shuffle(drawn)
        yield from drawn


def draw_block_by_tuning(
    groups: Iterable[Sequence[Level]],
    key: Callable[[Level], tuple[Hashable, Hashable]],
    *,
    seed: int | None,
    block: int,
) -> Iterator[Level]:
    """Yield every level once: the tunings in random order, within each all tests target by target.

    `key`: the tuning and the target of a level. Tests of one target keep their order; levels of
    another factor and targets are in random order, so that each comparison has random labels.
    """
    generator = random.Random(f"{seed} {block}")
    rows = [generator.sample(levels, len(levels)) for levels in map(list, groups)]
    by_tuning: dict[Hashable, dict[Hashable, list[Level]]] = {}
    for level in (level for levels in rows for level in levels):
        tuning, target = key(level)
        by_tuning.setdefault(tuning, {}).setdefault(target, []).append(level)
    for tuning in generator.sample(list(by_tuning), len(by_tuning)):
        targets = by_tuning[tuning]
        for target in generator.sample(list(targets), len(targets)):
            yield from targets[target]


def _listed(plan: PlannedPlan, points: Sequence[WorkloadPoint]) -> Iterator[OrderedCase]:
    for point in points:
        for tuning in plan.all_tunings:
            for repeat in range(1, plan.spec.planned_repeats + 1):
                yield OrderedCase(point, tuning, repeat, 0)


def _interleaved(
    plan: PlannedPlan, points: Sequence[WorkloadPoint], seed: int
) -> Iterator[OrderedCase]:
    groups = [
        [(point, tuning) for point in group for tuning in plan.all_tunings]
        for group in _exchangeable_points(plan, points)
    ]
    levels = max(map(len, groups), default=0)
    repeats: Counter[tuple[int, int | None]] = Counter()
    shares = shares_restarts(plan)
    sizes = block_sizes(plan.spec.planned_repeats, len(groups), levels, shares_restarts=shares)
    for block, size in enumerate(sizes, 1):
        drawn = draw_block(groups, size, seed=seed, block=block)
        if shares:
            drawn = draw_block_by_tuning(groups, _tuning_and_target, seed=seed, block=block)
        for point, tuning in drawn:
            case = id(point), tuning.id
            repeats[case] += 1
            yield OrderedCase(point, tuning, repeats[case], block)


def _tuning_and_target(level: tuple[WorkloadPoint, PlannedTuning]) -> tuple[Hashable, Hashable]:
    point, tuning = level
    return tuning.id, point.target.key


def _exchangeable_points(
    plan: PlannedPlan, points: Sequence[WorkloadPoint]
) -> list[list[WorkloadPoint]]:
    """Return points in groups that a block shuffles together.

    A group is one point unless the plan compares levels of another factor than the tuning profile.
    """
    factor = plan.spec.stopping_rule.factor if plan.spec.stopping_rule else TUNING

    def key(point: WorkloadPoint) -> object:
        return permutation_key(factor, point.step, point.tool, point.params, point.target.key)

    return permutation_groups(points, key)
