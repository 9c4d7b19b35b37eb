"""Preconditioning operations of a plan. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.plans.domain.target_matching import runnable_tool, step_targets
from apps.plans.schemas.planned import PlannedPlan, Problem
from apps.plans.schemas.preconditioning import AGE, SPRANDOM, Preconditioning
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.fields import Params
from apps.tools.registry import param_with, preparing

USES = "disk"


@dataclass(frozen=True)
class PreconditioningOp:
    """One preconditioning operation; `repeat` counts those of a kind from 1."""

    tool: str
    params: Params
    repeat: int


def operations_for(plan: PlannedPlan) -> list[PreconditioningOp]:
    """Return the operations of the plan's preconditioning, in order."""
    seen: Counter[str] = Counter()
    result = []
    for kind in plan.spec.preconditioning.kinds:
        seen[kind] += 1
        known = preparing(kind)
        plugin = runnable_tool(known[0]) if known else None
        assert known is not None, f"no tool prepares a disk by {kind}"
        assert plugin is not None, f"{known[0]} cannot be run"
        assert plugin.params is not None, f"{known[0]} cannot be run"
        raw = dict(known[1])
        if kind == AGE:
            raw[param_with(known[0], "time")] = plan.spec.preconditioning.aging_round_seconds
        if kind == SPRANDOM:
            raw["spr_op"] = share_text(plan.spec.preconditioning.sprandom_over_provisioning or 0)
        result.append(PreconditioningOp(known[0], plugin.params.from_raw(raw), seen[kind]))
    return result


def prepared_targets(plan: PlannedPlan) -> list[PlannedTarget]:
    """Return the targets to precondition: the disks that any step uses, in the plan's order."""
    measured = [plan.spec.steps[index] for index in plan.measured_steps]
    used = {target.key for step in measured for target in step_targets(plan, step)}
    return [target for target in plan.targets if target.uses == USES and target.key in used]


def preparation_problems(plan: PlannedPlan) -> Iterator[Problem]:
    """Yield a problem for each target that cannot be preconditioned."""
    yield from _mixed_problems(plan.spec.preconditioning)
    for target in plan.targets if plan.spec.preconditioning.kinds else ():
        if target.uses is not None and target.uses != USES:
            text = _("%(target)s is no disk, and only disks can be prepared.") % {
                "target": target.label
            }
            yield Problem(text, field="preconditioning", saving=False)


def share_text(share: float) -> str:
    """Return a share between 0 and 1 with at most four digits, as fio reads it: "0.07"."""
    return f"{min(max(share, 0.0001), 0.9999):.4f}".rstrip("0")


def _mixed_problems(preconditioning: Preconditioning) -> Iterator[Problem]:
    """Yield a problem for sprandom beside fills: the disk would be in neither state."""
    if preconditioning.sprandom_over_provisioning is None:
        return
    if preconditioning.sequential_fills or preconditioning.random_fills:
        text = _("sprandom replaces the fills: choose one of them.")
        yield Problem(text, field="preconditioning.sprandom_over_provisioning")


def act_words(kinds: Sequence[str]) -> list[str]:
    """Return the operations as text, each kind once."""
    words = {
        "discard": _("discard all blocks"),
        "secure": _("discard all blocks, securely where the device offers it"),
        "sequential": _("fill in sequence"),
        "random": _("fill in random order"),
        SPRANDOM: _("write the physical capacity once with sprandom"),
        AGE: _("age with random writes until they are steady"),
    }
    return [
        _("%(what)s, in %(n)d rounds at most") % {"what": words[kind], "n": number}
        if kind == AGE
        else words[kind]
        if number == 1
        else _("%(what)s, %(n)d times") % {"what": words[kind], "n": number}
        for kind, number in Counter(kinds).items()
    ]
