"""Targets of each step, and problems of steps and targets without a match."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import PlannedPlan, Problem
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.registry import TOOLS
from apps.tools.targets import TargetKind
from apps.tools.tool import Tool

KINDS: dict[TargetKind, str | Promise] = {
    "disk": lazy("a disk"),
    "directory": lazy("a directory"),
    "pool": lazy("a Ceph pool"),
    "pair": lazy("a pair of hosts"),
}


def runnable_tool(name: str) -> Tool | None:
    """Return the tool if plans may use it; None for an unknown one or one for imports only."""
    plugin = TOOLS.get(name)
    return plugin if plugin is not None and plugin.params is not None else None


def step_targets(plan: PlannedPlan, step: StepSpec) -> list[PlannedTarget]:
    """Return the plan's targets that the step runs on, in order."""
    plugin = runnable_tool(step.tool)
    if plugin is None:
        return []
    kinds = kinds_of(plan, step)
    return [target for target in plan.targets if not unusable_reason(plugin, kinds, target)]


def target_problems(plan: PlannedPlan, steps: Collection[int]) -> Iterator[Problem]:
    """Yield a problem for each step without a target and each target without a step.

    `steps`: the indexes of the steps that can run.
    """
    for target in plan.targets:
        if not target.uses:
            yield Problem(_mixture(target), field="targets", saving=False)
    result = [target for target in plan.targets if target.uses]
    for index in steps if result else ():
        yield from _step_problems(index, plan, result)
    used = [kinds_of(plan, plan.spec.steps[index]) for index in steps]
    for target in result if used else ():
        if not any(target.uses in kinds for kinds in used):
            text = _("%(target)s: no step of this plan uses %(kind)s.") % {
                "target": target.label,
                "kind": KINDS[_kind(target)],
            }
            yield Problem(text, field="targets", saving=False)


def _step_problems(
    index: int, plan: PlannedPlan, targets: Sequence[PlannedTarget]
) -> Iterator[Problem]:
    plugin = runnable_tool(plan.spec.steps[index].tool)
    assert plugin is not None, "only steps that can be run are asked about"
    kinds = kinds_of(plan, plan.spec.steps[index])
    if not any(target.uses in kinds for target in targets):
        text = _("%(tool)s needs %(kinds)s as its target, and this plan has none.") % {
            "tool": plugin.label,
            "kinds": _(" or ").join(str(KINDS[kind]) for kind in kinds),
        }
        yield Problem(text, index, "tool", saving=False)
    for target in targets:
        if target.uses in kinds and (text := unusable_reason(plugin, kinds, target)):
            yield Problem(text, index, "tool", saving=False)


def kinds_of(plan: PlannedPlan, step: StepSpec) -> tuple[TargetKind, ...]:
    """Return the kinds of targets that a step can use; none if its tool cannot run.

    A tool for directories uses disks as well if every tuning profile makes a file system on them.
    """
    plugin = runnable_tool(step.tool)
    kinds = plugin.targets_for(step.params) if plugin is not None else ()
    return (*kinds, "disk") if plan.in_files and kinds == ("directory",) else kinds


def unusable_reason(plugin: Tool, kinds: Collection[TargetKind], target: PlannedTarget) -> str:
    """Return why this tool does not run on this target; "" if it does."""
    kind = target.uses
    if kind is None or kind not in kinds:
        return _("%(tool)s cannot use %(target)s.") % {
            "tool": plugin.label,
            "target": target.label,
        }
    if target.kind == "group" and target.max_on_a_host > 1 and not plugin.several:
        text = _("%(target)s: %(tool)s cannot use several directories of one host at once.")
        if kind == "disk":
            text = _("%(target)s: %(tool)s cannot use several disks of one host at once.")
        return text % {"target": target.label, "tool": plugin.label}
    return ""


def _kind(target: PlannedTarget) -> TargetKind:
    assert target.uses is not None, "a mixture was said before"
    return target.uses


def _mixture(target: PlannedTarget) -> str:
    if not target.members:
        text = _("The group %(group)s is empty: add disks or directories to it.")
    else:
        text = _("%(group)s: a group that mixes disks and directories cannot be used at once.")
    return text % {"group": target.label}
