"""Expansion of a plan to its cases in order of execution.

Pure: equal plan and seed give an equal list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.plans.domain.backgrounds import planned_backgrounds, settle_seconds, with_load
from apps.plans.domain.case_order import OrderedCase, WorkloadPoint, case_order
from apps.plans.domain.command_totals import procedures_of
from apps.plans.domain.disturbed_workloads import disturbed_label, disturbed_params
from apps.plans.domain.durations import NO_HISTORY, DurationKey, DurationModel
from apps.plans.domain.energy import idle_seconds
from apps.plans.domain.preconditioning import operations_for, prepared_targets
from apps.plans.domain.restarts import restart_seconds, restarts_around
from apps.plans.domain.target_matching import runnable_tool, step_targets, target_problems
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import (
    HOST_DEFAULTS,
    MEASURE,
    PRECONDITION,
    Expansion,
    PlannedCase,
    PlannedPlan,
    Problem,
)
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.errors import ParamsError, PointError
from apps.tools.fields import Params
from apps.tools.params import canonical_key, workload_key
from apps.tools.registry import TOOLS
from apps.tools.sweep import sweep

MAX_CASES = 10_000


class ExpandError(ValueError):
    """A plan that cannot be expanded; `problems` has the sentences."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


def plan_expand(
    plan: PlannedPlan, *, seed: int = 0, durations: DurationModel = NO_HISTORY
) -> Expansion:
    """Return the cases of a plan in order of execution, and the problems of the rest.

    Preconditioning comes first; case_order.py draws the order of the rest.
    """
    problems: list[Problem] = []
    swept: dict[int, list[Params]] = {}
    for index, step in enumerate(plan.spec.steps):
        try:
            swept[index] = step_params(step)
        except ParamsError as error:
            problems += _problems(index, error)
    loads, wrong = planned_backgrounds(plan, swept)
    problems += wrong
    measured = {index: swept[index] for index in plan.measured_steps if index in swept}
    placed = {index: step_targets(plan, plan.spec.steps[index]) for index in measured}
    count = _count(plan, measured, placed, len(loads) + 1)
    if count > MAX_CASES:  # counted before any is made: a few lists describe millions
        text = _("This plan has %(count)s cases; at most %(most)s are allowed.") % {
            "count": f"{count:,}",
            "most": f"{MAX_CASES:,}",
        }
        return Expansion((), (*problems, Problem(text, field="steps")))
    problems += target_problems(plan, measured)
    points: list[WorkloadPoint] = []
    for index, params in measured.items():
        try:
            for point in _step_points(index, plan, params, placed[index]):
                points += [point, *(with_load(point, load) for load in loads)]
        except ExpandError as error:
            problems += error.problems
    order = [*_preconditioning(plan), *case_order(plan, points, seed)]
    restarts = restarts_around(
        [(ordered.tuning, ordered.point.target) for ordered in order],
        disturbed=bool(plan.spec.disturbance),
    )
    cases = tuple(
        _case(sequence, ordered, durations, restarts[sequence])
        for sequence, ordered in enumerate(order)
    )
    return Expansion(cases, tuple(problems))


def _count(
    plan: PlannedPlan,
    swept: Mapping[int, Sequence[Params]],
    placed: Mapping[int, Sequence[PlannedTarget]],
    levels: int,
) -> int:
    combinations = sum(len(points) * len(placed[index]) for index, points in swept.items())
    combinations *= levels
    prepared = len(plan.spec.preconditioning.kinds) * len(plan.targets)
    return combinations * len(plan.all_tunings) * plan.spec.planned_repeats + prepared


def step_params(step: StepSpec) -> list[Params]:
    """Return the points of a step's sweep, without duplicates and impossible ones.

    Example of an impossible one: a record larger than its file. Raises: ParamsError.
    """
    plugin = runnable_tool(step.tool)
    if plugin is None or plugin.params is None:
        raise ParamsError(
            {"": _("There is no tool %(tool)s that benchlab can run.") % {"tool": repr(step.tool)}}
        )
    result: dict[str, Params] = {}
    impossible: PointError | None = None
    for raw in sweep(step.params, plugin.params.fields()):
        try:
            params = plugin.params.from_raw(raw)
        except PointError as error:
            impossible = error
            continue
        result.setdefault(workload_key(step.tool, params), params)
    if impossible is not None and not result:
        raise impossible
    return list(result.values())


def _step_points(
    index: int, plan: PlannedPlan, sweep_points: Sequence[Params], targets: Sequence[PlannedTarget]
) -> list[WorkloadPoint]:
    """Return the step's points on its targets.

    Raises: ExpandError with every distinct sentence.
    """
    points: list[WorkloadPoint] = []
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


def _point(index: int, plan: PlannedPlan, params: Params, target: PlannedTarget) -> WorkloadPoint:
    step = plan.spec.steps[index]
    disturbance = plan.spec.disturbance.text
    own = disturbed_params(params.canonical(), disturbance)
    label = params.describe()
    return WorkloadPoint(
        step=index,
        name=step.name,
        tool=step.tool,
        params=own,
        key=canonical_key({"tool": step.tool, "params": own}),
        label=disturbed_label(label, disturbance),
        target=target,
        procedures=procedures_of(step.tool, params, target, plan.all_tunings),
    )


def _problems(index: int, error: ParamsError, target: PlannedTarget | None = None) -> list[Problem]:
    prefix = f"{target.label}: " if target else ""
    return [
        Problem(prefix + localize_message(text), index, name) for name, text in error.errors.items()
    ]


def _preconditioning(plan: PlannedPlan) -> Iterator[OrderedCase]:
    """Return the preconditioning operations disk by disk, under host defaults."""
    acts = operations_for(plan)
    for target in prepared_targets(plan) if acts else ():
        for act in acts:
            procedures = procedures_of(act.tool, act.params, target, (HOST_DEFAULTS,))
            key = workload_key(act.tool, act.params)
            words = act.params.describe()
            point = WorkloadPoint(
                None, "", act.tool, act.params.canonical(), key, words, target, procedures
            )
            yield OrderedCase(point, HOST_DEFAULTS, act.repeat, 0)


def _case(
    sequence: int, ordered: OrderedCase, durations: DurationModel, restarts: int
) -> PlannedCase:
    point = ordered.point
    work = point.procedures[ordered.tuning.pins, ordered.tuning.makes_files]
    idle = 0.0 if point.background else idle_seconds(work.seconds)
    rest = max(ordered.tuning.settle_seconds, idle)
    planned_seconds = work.seconds + rest + settle_seconds(point)
    kind = DurationKey(point.target.host_id, point.tool, point.key, ordered.tuning.name)
    return PlannedCase(
        sequence=sequence,
        block=ordered.block,
        repeat=ordered.repeat,
        step=point.step,
        step_name=point.name,
        tool=point.tool,
        params=point.params,
        workload_key=point.key,
        label=point.label,
        target=point.target,
        tuning=ordered.tuning,
        seconds=durations.seconds(
            kind, planned_seconds, restarts * restart_seconds(ordered.tuning, point.target)
        ),
        bytes_written=work.bytes_written,
        writes=work.writes,
        timed_seconds=work.timed_seconds,
        threads=work.threads,
        programs=work.programs,
        purpose=MEASURE if point.step is not None else PRECONDITION,
        background=point.background,
    )


def tools_offered() -> list[tuple[str, str]]:
    """Return name and label of the tools that a plan may use."""
    return [(name, plugin.label) for name, plugin in TOOLS.items() if plugin.params is not None]
