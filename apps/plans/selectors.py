"""Reads about plans: the plan as plain data, its preview, its frozen copy, the lists."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.db.models import Count, F, QuerySet

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
    """Every plan, newest first, with what a list shows; everybody logged in may see all."""
    return (
        TestPlan.objects.select_related("owner", "team")
        .annotate(
            target_count=Count("targets", distinct=True),
            tuning_count=Count("tunings", distinct=True),
        )
        .prefetch_related("steps")
        .order_by("-id")
    )


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
    disks = Disk.objects.select_related("host").order_by(
        F("enrolled_at").asc(nulls_last=True), "node"
    )
    found: list[Disk | Directory] = [
        *Directory.objects.select_related("host").order_by("path"),
        *disks,
    ]
    return sorted(found, key=lambda target: target.host.name)


def targets_named(values: Iterable[str]) -> list[Disk | Directory]:
    """The targets of values such as "disk:12" with their hosts' facts, in the order given.

    Values that name nothing are left out.
    """
    keys: dict[str, list[str]] = {"disk": [], "directory": []}
    wanted = [str(value) for value in values]
    for value in wanted:
        kind, _colon, key = value.partition(":")
        if kind in keys and key.isascii() and key.isdigit() and len(key) < 19:
            keys[kind].append(key)
    found: dict[str, Disk | Directory] = {}
    for disk in Disk.objects.select_related("host__facts").filter(pk__in=keys["disk"]):
        found[target_value(disk)] = disk
    rows = Directory.objects.select_related("host__facts").filter(pk__in=keys["directory"])
    found |= {target_value(row): row for row in rows}
    return [found[value] for value in dict.fromkeys(wanted) if value in found]


def target_value(target: Disk | Directory) -> str:
    """A target in a form and in the API: "disk:12" or "directory:3"."""
    return f"{'disk' if isinstance(target, Disk) else 'directory'}:{target.pk}"


def recent_runs(plan: TestPlan, *, most: int = 10) -> list[Any]:
    """The plan's newest runs."""
    return list(plan.runs.select_related("owner").order_by("-id")[:most])
