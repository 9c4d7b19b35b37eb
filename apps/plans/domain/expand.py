"""Expansion of a plan to its cases in order of execution.

Pure: equal plan and seed give an equal list.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.plans.domain.blocks import block_sizes
from apps.plans.domain.command_totals import Procedures, procedures_of
from apps.plans.domain.duration_model import NOTHING_KNOWN, DurationKey, DurationModel
from apps.plans.domain.preconditioning import operations_for, prepared_targets
from apps.plans.domain.randomisation import permutation_groups, permutation_key
from apps.plans.domain.target_matching import runnable_tool, step_targets, target_problems
from apps.plans.schemas.factors import TUNING
from apps.plans.schemas.plan import INTERLEAVED, StepSpec
from apps.plans.schemas.planned import (
    HOST_DEFAULTS,
    MEASURE,
    PRECONDITION,
    Expansion,
    PlannedCase,
    PlannedPlan,
    PlannedTuning,
    Problem,
)
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.errors import ParamsError, PointError
from apps.tools.fields import Params
from apps.tools.params import workload_key
from apps.tools.registry import TOOLS
from apps.tools.sweep import sweep
from apps.tools.values import Parameters

MAX_CASES = 10_000


class ExpandError(ValueError):
    """A plan that cannot be expanded; `problems` has the sentences."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class _Point:
    """One workload of a step on one target: the common part of its repeats and tuning profiles."""

    step: int | None
    name: str
    tool: str
    params: Parameters
    key: str
    label: str
    target: PlannedTarget
    procedures: Procedures


@dataclass(frozen=True)
class _Slot:
    point: _Point
    tuning: PlannedTuning
    repeat: int
    block: int


def plan_expand(
    plan: PlannedPlan, *, seed: int = 0, pace: DurationModel = NOTHING_KNOWN
) -> Expansion:
    """Return the cases of a plan in order of execution, and the problems of the rest.

    "listed": step, sweep point, target, tuning profile, repeat. "interleaved": random blocks
    (blocks.py). Inside a block steps and targets keep their order, because a later step may read
    what an earlier one wrote. The repeats of all profiles of a point are shuffled, so that drift is
    not attributed to a profile. Levels of another factor are shuffled with them (randomisation.py).
    """
    problems: list[Problem] = []
    swept: dict[int, list[Params]] = {}
    for index, step in enumerate(plan.spec.steps):
        try:
            swept[index] = step_params(step)
        except ParamsError as error:
            problems += _problems(index, error)
    placed = {index: step_targets(plan, plan.spec.steps[index]) for index in swept}
    count = _count(plan, swept, placed)
    if count > MAX_CASES:  # counted before any is made: a few lists describe millions
        text = _("This plan has %(count)s cases; at most %(most)s are allowed.") % {
            "count": f"{count:,}",
            "most": f"{MAX_CASES:,}",
        }
        return Expansion((), (*problems, Problem(text, field="steps")))
    problems += target_problems(plan, swept)
    points: list[_Point] = []
    for index, params in swept.items():
        try:
            points += _step_points(index, plan, params, placed[index])
        except ExpandError as error:
            problems += error.problems
    slots = (
        _interleaved(plan, points, seed)
        if plan.spec.planned_order == INTERLEAVED
        else _listed(plan, points)
    )
    ordered = enumerate([*_preparing(plan), *slots])
    cases = tuple(_case(sequence, slot, pace) for sequence, slot in ordered)
    return Expansion(cases, tuple(problems))


def _count(
    plan: PlannedPlan,
    swept: Mapping[int, Sequence[Params]],
    placed: Mapping[int, Sequence[PlannedTarget]],
) -> int:
    places = sum(len(points) * len(placed[index]) for index, points in swept.items())
    prepared = len(plan.spec.preconditioning.kinds) * len(plan.targets)
    return places * len(plan.all_tunings) * plan.spec.planned_repeats + prepared


def step_params(step: StepSpec) -> list[Params]:
    """Return the points of a step's sweep, without duplicates and impossible ones.

    Example of an impossible one: a record larger than its file. Raises: ParamsError.
    """
    room = runnable_tool(step.tool)
    if room is None or room.params is None:
        raise ParamsError(
            {"": _("There is no tool %(tool)s that benchlab can run.") % {"tool": repr(step.tool)}}
        )
    found: dict[str, Params] = {}
    impossible: PointError | None = None
    for raw in sweep(step.params, room.params.fields()):
        try:
            params = room.params.from_raw(raw)
        except PointError as error:
            impossible = error
            continue
        found.setdefault(workload_key(step.tool, params), params)
    if impossible is not None and not found:
        raise impossible
    return list(found.values())


def _step_points(
    index: int, plan: PlannedPlan, sweep_points: Sequence[Params], targets: Sequence[PlannedTarget]
) -> list[_Point]:
    """Return the step's points on its targets.

    Raises: ExpandError with every distinct sentence.
    """
    points: list[_Point] = []
    problems: dict[Problem, None] = {}
    for params in sweep_points:
        for target in targets:
            try:
                points.append(_point(index, plan, params, target))
            except ParamsError as error:
                problems.update(dict.fromkeys(_problems(index, error, target)))
    if problems:
        raise ExpandError(tuple(problems))
    return points


def _point(index: int, plan: PlannedPlan, params: Params, target: PlannedTarget) -> _Point:
    step = plan.spec.steps[index]
    return _Point(
        step=index,
        name=step.name,
        tool=step.tool,
        params=params.canonical(),
        key=workload_key(step.tool, params),
        label=params.describe(),
        target=target,
        procedures=procedures_of(step.tool, params, target, plan.all_tunings),
    )


def _problems(index: int, error: ParamsError, target: PlannedTarget | None = None) -> list[Problem]:
    prefix = f"{target.label}: " if target else ""
    return [
        Problem(prefix + localize_message(text), index, name) for name, text in error.errors.items()
    ]


def _preparing(plan: PlannedPlan) -> Iterator[_Slot]:
    """Return the preconditioning operations disk by disk, under host defaults."""
    acts = operations_for(plan)
    for target in prepared_targets(plan) if acts else ():
        for act in acts:
            procedures = procedures_of(act.tool, act.params, target, (HOST_DEFAULTS,))
            key = workload_key(act.tool, act.params)
            words = act.params.describe()
            point = _Point(
                None, "", act.tool, act.params.canonical(), key, words, target, procedures
            )
            yield _Slot(point, HOST_DEFAULTS, act.repeat, 0)


def _listed(plan: PlannedPlan, points: Sequence[_Point]) -> Iterator[_Slot]:
    for point in points:
        for tuning in plan.all_tunings:
            for repeat in range(1, plan.spec.planned_repeats + 1):
                yield _Slot(point, tuning, repeat, 0)


def _interleaved(plan: PlannedPlan, points: Sequence[_Point], seed: int) -> Iterator[_Slot]:
    """Return the cases by block; each block has its own random numbers, also added ones."""
    tests = _exchanged(plan, points)
    levels = max(map(len, tests), default=0) * len(plan.all_tunings)
    done = 0
    for block, size in enumerate(block_sizes(plan.spec.planned_repeats, len(tests), levels), 1):
        dice = random.Random(f"{seed} {block}")
        for test in tests:
            sides = [(point, tuning) for point in test for tuning in plan.all_tunings]
            slots = [side for side in sides for _one in range(size)]
            dice.shuffle(slots)
            seen: Counter[tuple[int, int | None]] = Counter()
            for point, tuning in slots:
                mark = id(point), tuning.id
                seen[mark] += 1
                yield _Slot(point, tuning, done + seen[mark], block)
        done += size


def _exchanged(plan: PlannedPlan, points: Sequence[_Point]) -> list[list[_Point]]:
    """Return points in groups that a block shuffles together.

    A group is one point unless the plan compares levels of another factor than the tuning profile.
    """
    factor = plan.spec.stopping_rule.factor if plan.spec.stopping_rule else TUNING

    def key(point: _Point) -> object:
        return permutation_key(factor, point.step, point.tool, point.params, point.target.key)

    return permutation_groups(points, key)


def _case(sequence: int, slot: _Slot, pace: DurationModel) -> PlannedCase:
    point = slot.point
    work = point.procedures[slot.tuning.pins, slot.tuning.makes_files]
    kind = DurationKey(point.target.host_id, point.tool, point.key, slot.tuning.name)
    return PlannedCase(
        sequence=sequence,
        block=slot.block,
        repeat=slot.repeat,
        step=point.step,
        step_name=point.name,
        tool=point.tool,
        params=point.params,
        workload_key=point.key,
        label=point.label,
        target=point.target,
        tuning=slot.tuning,
        seconds=pace.seconds(kind, work.seconds + slot.tuning.settle_seconds),
        bytes_written=work.bytes_written,
        writes=work.writes,
        timed_seconds=work.timed_seconds,
        threads=work.threads,
        programs=work.programs,
        purpose=MEASURE if point.step is not None else PRECONDITION,
    )


def tools_offered() -> list[tuple[str, str]]:
    """Return name and label of the tools that a plan may use."""
    return [(name, room.label) for name, room in TOOLS.items() if room.params is not None]
