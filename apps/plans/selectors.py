"""Reads about plans: the plan as plain data, its preview, its frozen copy, the lists."""

from __future__ import annotations

import secrets

from django.db.models import F, QuerySet

from apps.inventory.models import Directory, Disk
from apps.tools.base import JSON

from .checks import preview_of
from .data import PlanData, Preview, StepData, TargetData, TuningData
from .drafts import PlanDraft
from .models import TestPlan

SEED_BITS = 32


def plan_draft(plan: TestPlan) -> PlanDraft:
    """A saved plan as the draft it was made of: three queries and the plan's own."""
    targets = plan.targets.select_related("disk__host__facts", "directory__host__facts")
    return PlanDraft(
        name=plan.name,
        description=plan.description,
        repeats=plan.repeats,
        order=plan.order,
        steps=[StepData(step.tool, step.params, step.name) for step in plan.steps.all()],
        targets=[found for target in targets if (found := target.disk or target.directory)],
        tunings=list(plan.tunings.order_by("name")),
        team=plan.team,
    )


def plan_data(plan: TestPlan) -> PlanData:
    """A saved plan for the expansion."""
    return plan_draft(plan).data()


def plan_preview(plan: TestPlan, *, seed: int = 0) -> Preview:
    """What launching the plan now would do, with every reason it could not."""
    return preview_of(plan_data(plan), seed=seed)


def plan_freeze(plan: TestPlan, *, seed: int | None = None) -> JSON:
    """A full JSON copy of a plan for a run. `seed` is the order of the interleaved blocks, a fresh
    one if None.
    """
    data = plan_data(plan)
    return {
        "id": plan.pk,
        "name": plan.name,
        "description": plan.description,
        "repeats": plan.repeats,
        "order": plan.order,
        "seed": secrets.randbits(SEED_BITS) if seed is None else seed,
        "steps": [_step_copy(step) for step in data.steps],
        "targets": [_target_copy(target) for target in data.targets],
        "tunings": [_tuning_copy(tuning) for tuning in data.all_tunings],
    }


def plans_visible() -> QuerySet[TestPlan]:
    """Every plan, newest first, with what a list shows: everybody logged in may see all of them."""
    return TestPlan.objects.select_related("owner", "team").order_by("-id")


def _step_copy(step: StepData) -> JSON:
    return {"name": step.name, "tool": step.tool, "params": dict(step.params)}


def _target_copy(target: TargetData) -> JSON:
    return {
        "kind": target.kind,
        "id": target.id,
        "identity": target.identity,
        "label": target.label,
        "size": target.size,
        "host": {"id": target.host.id, "name": target.host.name},
    }


def _tuning_copy(tuning: TuningData) -> JSON:
    return {
        "id": tuning.id,
        "name": tuning.name,
        "settings": list(tuning.settings),
        "settle": tuning.settle,
    }


def targets_offered() -> list[Disk | Directory]:
    """Every disk and directory a plan could name, host by host, the enrolled disks first."""
    disks = Disk.objects.select_related("host__facts").order_by(
        "host__name", F("enrolled_at").asc(nulls_last=True), "node"
    )
    directories = Directory.objects.select_related("host__facts").order_by("host__name", "path")
    found: list[Disk | Directory] = [*directories, *disks]
    return sorted(found, key=lambda target: target.host.name)
