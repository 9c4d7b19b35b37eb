"""Background loads of a plan: loads that run beside every measured step, as levels of a factor.

Each measured point is done without a background load and beside each point of the background steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

from django.utils.translation import gettext as _

from apps.plans.domain.case_order import WorkloadPoint
from apps.plans.domain.command_totals import CommandTotals, procedures_of
from apps.plans.domain.target_matching import runnable_tool, unusable_reason
from apps.plans.schemas.plan import MAX_SETTLE_SECONDS, StepSpec
from apps.plans.schemas.planned import (
    HOST_DEFAULTS,
    PlannedBackground,
    PlannedCase,
    PlannedPlan,
    Problem,
)
from apps.plans.schemas.targets import PlannedMember, PlannedTarget
from apps.tools.added_params import BACKGROUND
from apps.tools.background import background_value
from apps.tools.errors import ParamsError
from apps.tools.fields import Params
from apps.tools.params import canonical_key


def planned_backgrounds(
    plan: PlannedPlan, swept: Mapping[int, Sequence[Params]]
) -> tuple[list[PlannedBackground], list[Problem]]:
    """Return the background loads of the plan, and the problems of its background steps."""
    loads: dict[str, PlannedBackground] = {}
    problems: list[Problem] = []
    for index, step in enumerate(plan.spec.steps):
        if not step.is_background:
            continue
        problems += _step_problems(index, step, plan)
        target = plan.background_targets.get(step.target) if step.target else None
        if step.target and target is None:
            continue
        for params in swept.get(index, ()):
            load = _load(index, step, params, target)
            loads.setdefault(load.value, load)
    return list(loads.values()), problems


def _load(
    index: int, step: StepSpec, params: Params, target: PlannedTarget | None
) -> PlannedBackground:
    plugin = runnable_tool(step.tool)
    assert plugin is not None, "only steps that can be run are swept"
    label = params.describe()
    label = label if label.startswith(step.tool) else f"{plugin.label} {label}"
    where = f"{target.kind}:{target.identity}@{target.host.name}" if target else ""
    identity = {"tool": step.tool, "params": params.canonical(), "target": where}
    shown = f"{label} on {target.label}" if target else label
    return PlannedBackground(
        step=index,
        tool=step.tool,
        params=params.canonical(),
        label=label,
        value=background_value(shown, identity),
        target=target,
        settle_seconds=step.settle_seconds,
    )


def with_load(point: WorkloadPoint, load: PlannedBackground) -> WorkloadPoint:
    """Return the point beside a background load."""
    params = {**point.params, BACKGROUND: load.value}
    return replace(
        point,
        params=params,
        key=canonical_key({"tool": point.tool, "params": params}),
        label=f"{point.label}, beside {load.label}",
        background=load,
    )


def settle_seconds(point: WorkloadPoint) -> float:
    """Return how much later the test begins for its background load."""
    return point.background.settle_seconds if point.background else 0.0


def load_cases(cases: Iterable[PlannedCase]) -> Iterator[PlannedCase]:
    """Yield the background load of each case that has one, as a case with what it writes.

    It takes no time of its own. A load that does not fit its target yields nothing: its problem is
    that of the plan.
    """
    totals: dict[object, CommandTotals | None] = {}
    for case in cases:
        load = case.background
        if load is None:
            continue
        target = load.target or case.target
        seconds = ceil(case.seconds)
        key = load.value, target.key, seconds
        if key not in totals:
            totals[key] = _totals(load, target, seconds)
        if (work := totals[key]) is not None:
            yield replace(
                case,
                step=load.step,
                step_name="",
                tool=load.tool,
                params=load.params,
                label=load.label,
                workload_key=load.value,
                target=target,
                tuning=HOST_DEFAULTS,
                seconds=0.0,
                bytes_written=work.bytes_written,
                writes=work.writes,
                timed_seconds=work.timed_seconds,
                threads=work.threads,
                programs=work.programs,
                background=None,
            )


def _totals(load: PlannedBackground, target: PlannedTarget, seconds: int) -> CommandTotals | None:
    plugin = runnable_tool(load.tool)
    if plugin is None or plugin.params is None:
        return None
    params = plugin.params.from_raw(load.params)
    try:
        lasting = plugin.lasting(params, seconds) or params
        work = procedures_of(load.tool, lasting, target, (HOST_DEFAULTS,))[False, False]
    except ParamsError:
        return None
    if plugin.lasting(params, seconds) is not None or not work.writes:
        return work
    # It starts again until the test has ended, so only the device's speed decides.
    return replace(work, bytes_written=None, timed_seconds=float(seconds))


def background_problems(plan: PlannedPlan, cases: Iterable[PlannedCase]) -> Iterator[Problem]:
    """Yield problems of background loads beside the cases of a plan."""
    steps = [index for index, step in enumerate(plan.spec.steps) if step.is_background]
    if not steps:
        return
    if len(steps) == len(plan.spec.steps):
        yield Problem(_("A plan needs a measured step beside its background steps."), field="steps")
    if plan.spec.steady_state:
        text = _("Rounds until the device is steady have no background load.")
        yield Problem(text, steps[0], "role")
    if plan.spec.load_search_parameter:
        text = _("A search of the largest load has no background load.")
        yield Problem(text, steps[0], "role")
    if any(tuning.makes_files for tuning in plan.all_tunings):
        text = _("A tuning that makes a file system allows no background load.")
        yield Problem(text, steps[0], "role")
    seen: set[tuple[str, object]] = set()
    for case in cases:
        mark = case.workload_key, case.target.key
        if case.background is not None and mark not in seen:
            seen.add(mark)
            yield from _case_problems(case, case.background)


def _case_problems(case: PlannedCase, load: PlannedBackground) -> Iterator[Problem]:
    target = load.target or case.target
    if text := _misfit(load, target):
        yield Problem(text, load.step, "target")
        return
    shared = _shared(case.target, target)
    if case.writes and any(part.kind == "disk" for part in shared):
        text = _("%(target)s: beside a load on the same disk a test may only read.")
        yield Problem(text % {"target": case.target.label}, load.step, "target")
    if any(part.make for part in target.parts):
        text = _("%(target)s is created for each test: a background load needs an existing pool.")
        yield Problem(text % {"target": target.label}, load.step, "target")
    if any(part.kind == "directory" for part in shared) and case.tool == load.tool:
        text = _("%(target)s: the load and the test would use the same files.")
        yield Problem(text % {"target": case.target.label}, load.step, "target")


def _misfit(load: PlannedBackground, target: PlannedTarget) -> str:
    """Return why the load cannot run on this target; "" if it can."""
    plugin = runnable_tool(load.tool)
    assert plugin is not None, "only steps that can be run become loads"
    if text := unusable_reason(plugin, plugin.targets_for(load.params), target):
        return text
    assert plugin.params is not None, "only tools with parameters can be run"
    try:
        procedures_of(load.tool, plugin.params.from_raw(load.params), target, (HOST_DEFAULTS,))
    except ParamsError as error:
        return f"{target.label}: {joined_errors(error)}"
    return ""


def joined_errors(error: ParamsError) -> str:
    """Return the sentences of an error."""
    return " ".join(str(text) for text in error.errors.values())


def _shared(one: PlannedTarget, other: PlannedTarget) -> list[PlannedMember]:
    """Return the members that two targets share."""
    names = {(part.kind, part.identity, part.host.id) for part in other.parts}
    return [part for part in one.parts if (part.kind, part.identity, part.host.id) in names]


def _step_problems(index: int, step: StepSpec, plan: PlannedPlan) -> Iterator[Problem]:
    if not 0 <= step.settle_seconds <= MAX_SETTLE_SECONDS:
        text = _("Between 0 and %(most)d seconds.") % {"most": MAX_SETTLE_SECONDS}
        yield Problem(text, index, "settle_seconds")
    if step.expectations:
        yield Problem(_("A background load has no expectations."), index, "role")
    if step.target and plan.background_targets.get(step.target) is None:
        yield Problem(_("There is no such target."), index, "target")
