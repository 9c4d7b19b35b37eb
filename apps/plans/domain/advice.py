"""Advice on a plan: what would make its measurements misleading, why, and a better value.

Tools give the advice on their parameters (`Tool.advice`). A launch stores what was not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import msgspec

from apps.plans.domain.disturbed_workloads import tool_params
from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.advice import Advice, AdviceNote, AdviceNotes
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.planned import MEASURE, PlannedCase, PlannedPlan
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.advice import TestedTarget
from apps.tools.messages import as_message, message
from apps.tools.targets import TargetKind
from apps.tools.values import RawValue

PRECONDITIONING = "preconditioning"


def plan_advice(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> list[Advice]:
    """Return each piece of advice once, in the order of the steps."""
    advice = [*_param_advice(plan, cases), *_preconditioning_advice(plan, cases)]
    return list(dict.fromkeys(advice))


def _param_advice(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Advice]:
    seen: set[tuple[int | None, str, int]] = set()
    for case in cases:
        mark = (case.step, case.workload_key, id(case.target))
        if mark in seen or case.step is None or case.purpose != MEASURE:
            continue
        seen.add(mark)
        yield from _case_advice(plan, case, case.step)


def _case_advice(plan: PlannedPlan, case: PlannedCase, step: int) -> Iterator[Advice]:
    plugin = runnable_tool(case.tool)
    if plugin is None or plugin.params is None:
        return
    in_files = case.tuning.makes_files
    advised = plugin.advice(
        plugin.params.from_raw(tool_params(case.params)), tested_target(case.target)
    )
    for one in advised:
        of_rounds = plan.spec.steady_state and one.name in ("runtime", "ramp_time")
        # A sweep over the parameter is a question about it.
        swept = isinstance(plan.spec.steps[step].params.get(one.name), list)
        if not (swept or of_rounds or (in_files and one.name == "size")):
            yield Advice(one.text, one.reason, step, one.name, one.value)


def tested_target(target: PlannedTarget) -> TestedTarget:
    """Return the facts that tools need for their advice."""
    memory = [host.memory_bytes for host in target.hosts if host.memory_bytes]
    links = [host.link_bits_per_second for host in target.hosts if host.link_bits_per_second]
    caches = [part.backing.cache_bytes for part in target.parts if part.backing]
    rotational = {part.is_rotational for part in target.parts}
    return TestedTarget(
        kind=target.uses or cast(TargetKind, target.kind),
        size_bytes=target.size,
        memory_bytes=min(memory, default=None),
        is_rotational=rotational.pop() if len(rotational) == 1 else None,
        link_bits_per_second=min(links, default=None),
        cache_bytes=max((cache for cache in caches if cache), default=None),
    )


def _preconditioning_advice(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Advice]:
    """Yield advice for writes to flash disks in an unknown state."""
    if plan.spec.preconditioning.kinds or plan.spec.steady_state or plan.in_files:
        return
    flash = [
        case
        for case in cases
        if case.writes
        and case.target.uses == "disk"
        and any(part.is_rotational is False for part in case.target.parts)
    ]
    if flash:
        yield Advice(
            message("Writes to %(disk)s without preconditioning.", disk=flash[0].target.label),
            message(
                "A flash or cloud disk is faster while blocks are unwritten; later results are "
                "lower."
            ),
            None,
            PRECONDITIONING,
            1,
        )


def take_advice(spec: PlanSpec, advice: Advice) -> PlanSpec:
    """Return the plan's specification with the advised value."""
    if advice.step is None:
        return msgspec.structs.replace(spec, preconditioning=Preconditioning(sequential_fills=1))
    step = spec.steps[advice.step]
    params: Mapping[str, RawValue] = {
        **{name: value for name, value in step.params.items() if name != advice.field},
        advice.field: advice.value,
    }
    steps = list[StepSpec](spec.steps)
    steps[advice.step] = msgspec.structs.replace(step, params=params)
    return msgspec.structs.replace(spec, steps=tuple(steps))


def advice_notes(advice: Iterable[Advice]) -> AdviceNotes:
    """Return the advice as a run stores it."""
    return tuple(
        AdviceNote(as_message(one.text), as_message(one.reason), one.field, one.step)
        for one in advice
    )
