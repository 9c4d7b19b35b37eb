"""From a plan to its cases, in the order they are executed. Pure: the same plan and seed give the
same list.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.tools.base import JSON, Params, ParamsError, Procedure, Tool
from apps.tools.params import sweep, workload_key
from apps.tools.registry import TOOLS

from .data import (
    INTERLEAVED,
    Expansion,
    PlanData,
    PlannedCase,
    Problem,
    StepData,
    TargetData,
    TuningData,
)

MAX_CASES = 10_000
# Seconds around a test: the claim's checks, starting, collecting and storing.
CASE_OVERHEAD = 2.0


class ExpandError(ValueError):
    """A plan that cannot be expanded: `problems` says why, sentence by sentence."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class _Point:
    """One workload of a step on one target: what its repeats and tunings have in common."""

    step: int
    name: str
    tool: str
    params: JSON
    key: str
    label: str
    target: TargetData
    procedure: Procedure


@dataclass(frozen=True)
class _Slot:
    point: _Point
    tuning: TuningData
    repeat: int
    block: int


def plan_cases(plan: PlanData, *, seed: int) -> list[PlannedCase]:
    """Every case of a plan in the order of execution. Raises ExpandError when any part cannot be
    expanded.

    "listed": step, sweep point, target, tuning, repeat. "interleaved": repeat r is block r; inside
    a block the steps and targets keep their order (a later step reads what an earlier one wrote)
    and the tunings of each are shuffled, so that drift over hours does not look like a tuning.
    """
    expansion = plan_expand(plan, seed=seed)
    if expansion.problems:
        raise ExpandError(expansion.problems)
    return list(expansion.cases)


def plan_expand(plan: PlanData, *, seed: int = 0) -> Expansion:
    """As `plan_cases`, with the problems beside whatever cases could be made of the rest."""
    problems: list[Problem] = []
    swept: dict[int, list[Params]] = {}
    for index, step in enumerate(plan.steps):
        try:
            swept[index] = step_params(step)
        except ParamsError as error:
            problems += _problems(index, error)
    each = len(plan.targets) * len(plan.all_tunings) * plan.repeats
    count = sum(map(len, swept.values())) * each
    if count > MAX_CASES:  # counted before any is made: a few lists describe millions
        text = f"This plan has {count:,} cases; at most {MAX_CASES:,} are allowed."
        return Expansion((), (*problems, Problem(text, field="steps")))
    points: list[_Point] = []
    for index, params in swept.items():
        try:
            points += _step_points(index, plan.steps[index], params, plan.targets)
        except ExpandError as error:
            problems += error.problems
    slots = _interleaved(plan, points, seed) if plan.order == INTERLEAVED else _listed(plan, points)
    cases = tuple(_case(position, slot) for position, slot in enumerate(slots))
    return Expansion(cases, tuple(problems))


def step_params(step: StepData) -> list[Params]:
    """The points of a step's sweep, equal ones once. Raises ParamsError."""
    room = runnable(step.tool)
    if room is None or room.params is None:
        raise ParamsError({"": f"There is no tool {step.tool!r} that benchlab can run."})
    found: dict[str, Params] = {}
    for raw in sweep(step.params, room.params.fields()):
        params = room.params.from_raw(raw)
        found.setdefault(workload_key(step.tool, params), params)
    return list(found.values())


def runnable(name: str) -> Tool | None:
    """The room of a tool that plans may use; None for an unknown one and one that only imports."""
    room = TOOLS.get(name)
    return room if room is not None and room.params is not None else None


def _step_points(
    index: int, step: StepData, sweep_points: Sequence[Params], targets: Sequence[TargetData]
) -> list[_Point]:
    """The step's points on every target. Raises ExpandError with every different sentence."""
    room = runnable(step.tool)
    assert room is not None  # step_params refuses a tool without a room
    points: list[_Point] = []
    problems: dict[Problem, None] = {}
    for params in sweep_points:
        for target in targets:
            try:
                points.append(_point(index, step, room, params, target))
            except ParamsError as error:
                problems.update(dict.fromkeys(_problems(index, error, target)))
    if problems:
        raise ExpandError(tuple(problems))
    return points


def _point(index: int, step: StepData, room: Tool, params: Params, target: TargetData) -> _Point:
    return _Point(
        step=index,
        name=step.name,
        tool=step.tool,
        params=params.canonical(),
        key=workload_key(step.tool, params),
        label=params.describe(),
        target=target,
        procedure=room.procedure(params, target.for_tool()),
    )


def _problems(index: int, error: ParamsError, target: TargetData | None = None) -> list[Problem]:
    prefix = f"{target.label}: " if target else ""
    return [Problem(prefix + text, index, name) for name, text in error.errors.items()]


def _listed(plan: PlanData, points: Sequence[_Point]) -> Iterator[_Slot]:
    for point in points:
        for tuning in plan.all_tunings:
            for repeat in range(1, plan.repeats + 1):
                yield _Slot(point, tuning, repeat, 0)


def _interleaved(plan: PlanData, points: Sequence[_Point], seed: int) -> Iterator[_Slot]:
    dice = random.Random(seed)
    for repeat in range(1, plan.repeats + 1):
        for point in points:
            tunings = list(plan.all_tunings)
            dice.shuffle(tunings)
            for tuning in tunings:
                yield _Slot(point, tuning, repeat, repeat)


def _case(position: int, slot: _Slot) -> PlannedCase:
    point = slot.point
    return PlannedCase(
        position=position,
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
        seconds=point.procedure.seconds + slot.tuning.settle + CASE_OVERHEAD,
        bytes_written=_bytes(point.procedure),
        writes=point.procedure.writes,
        timed_seconds=_timed(point.procedure),
    )


def _bytes(procedure: Procedure) -> int | None:
    return procedure.bytes_written if procedure.writes else 0


def _timed(procedure: Procedure) -> float:
    """Seconds of writing whose bytes only the device's speed decides."""
    return procedure.seconds if procedure.writes and procedure.bytes_written is None else 0.0


def tools_offered() -> list[tuple[str, str]]:
    """The tools a plan may use: name and label."""
    return [(name, room.label) for name, room in TOOLS.items() if room.params is not None]
