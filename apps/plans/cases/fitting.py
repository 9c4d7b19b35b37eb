"""Which of a plan's targets a step is run on, and the sentences for what fits nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from apps.plans.targets.plain import PlannedTarget
from apps.tools.base import TargetKind, Tool
from apps.tools.registry import TOOLS

from .data import PlanData, Problem, StepData

KINDS: dict[TargetKind, str] = {
    "disk": "a disk",
    "directory": "a directory",
    "pool": "a Ceph pool",
    "pair": "a pair of hosts",
}


def runnable(name: str) -> Tool | None:
    """The room of a tool that plans may use; None for an unknown one and one that only imports."""
    room = TOOLS.get(name)
    return room if room is not None and room.params is not None else None


def step_targets(step: StepData, targets: Sequence[PlannedTarget]) -> list[PlannedTarget]:
    """The targets that the step is run on, in the plan's order."""
    room = runnable(step.tool)
    return [target for target in targets if room is not None and not _hindrance(room, target)]


def target_problems(plan: PlanData, steps: Collection[int]) -> Iterator[Problem]:
    """A sentence for each step that no target fits and each target that no step fits. `steps` are
    the places of those that can be run at all.
    """
    for target in plan.targets:
        if not target.uses:
            yield Problem(_mixture(target), field="targets", saving=False)
    found = [target for target in plan.targets if target.uses]
    for index in steps if found else ():
        yield from _step_problems(index, plan.steps[index], found)
    rooms = [room for index in steps if (room := runnable(plan.steps[index].tool))]
    for target in found if rooms else ():
        if not any(target.uses in room.targets for room in rooms):
            text = f"{target.label}: no step of this plan uses {KINDS[_kind(target)]}."
            yield Problem(text, field="targets", saving=False)


def _step_problems(
    index: int, step: StepData, targets: Sequence[PlannedTarget]
) -> Iterator[Problem]:
    room = runnable(step.tool)
    assert room is not None, "only steps that can be run are asked about"
    if not any(target.uses in room.targets for target in targets):
        kinds = " or ".join(KINDS[kind] for kind in room.targets)
        text = f"{room.label} needs {kinds} as its target, and this plan has none."
        yield Problem(text, index, "tool", saving=False)
    for target in targets:
        if target.uses in room.targets and (text := _hindrance(room, target)):
            yield Problem(text, index, "tool", saving=False)


def _hindrance(room: Tool, target: PlannedTarget) -> str:
    """Why this tool is not run on this target; empty where it is."""
    kind = target.uses
    if kind is None or kind not in room.targets:
        return f"{room.label} cannot use {target.label}."
    if target.kind == "group" and target.most_on_a_host > 1 and not room.several:
        plural = {"disk": "disks"}.get(kind, "directories")
        return f"{target.label}: {room.label} cannot use several {plural} of one host at once."
    return ""


def _kind(target: PlannedTarget) -> TargetKind:
    assert target.uses is not None, "a mixture was said before"
    return target.uses


def _mixture(target: PlannedTarget) -> str:
    if not target.members:
        return f"The group {target.label} is empty: add disks or directories to it."
    return f"{target.label}: a group that mixes disks and directories cannot be used at once."
