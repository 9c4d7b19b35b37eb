"""Reads about plans: the plan as plain data, its preview, its frozen copy, the lists."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet

from apps.plans.cases.planned import PlainPlan, PlannedStep, Preview
from apps.plans.cases.times import pace_of
from apps.plans.targets.kinds import rows_of
from apps.plans.targets.plain import PlannedMember, PlannedTarget

from .checks import preview_of
from .contract import CopiedHost, CopiedPart, CopiedStep, CopiedTarget, CopiedTuning, PlanCopy
from .drafts import PlanDraft
from .models import TestPlan

SEED_BITS = 31


def plan_draft(plan: TestPlan) -> PlanDraft:
    """A saved plan as the draft it was made of, in a few queries however large it is."""
    targets = [row.target for row in plan.targets.select_related("target")]
    return PlanDraft(
        name=plan.name,
        description=plan.description,
        repeats=plan.repeats,
        order=plan.order,
        unapplied=plan.unapplied,
        preparation=plan.preparation,
        rounds=plan.rounds,
        until_within=plan.until_within,
        until_blocks=plan.until_blocks,
        until_hours=plan.until_hours,
        until_factor=plan.until_factor,
        saturates=plan.saturates,
        steps=[
            PlannedStep(step.tool, step.params, step.name, step.expectations)
            for step in plan.steps.all()
        ],
        targets=rows_of(targets),
        tunings=list(plan.tunings.order_by("name")),
        baseline=plan.baseline,
        team=plan.team,
    )


def plan_data(plan: TestPlan) -> PlainPlan:
    """A saved plan for the expansion."""
    return plan_draft(plan).data()


def plan_preview(plan: TestPlan, *, seed: int = 0) -> Preview:
    """The preview of launching the plan now, with every reason it could not."""
    data = plan_data(plan)
    return preview_of(data, seed=seed, pace=pace_of(data))


class Snapshot(NamedTuple):
    """A plan at one moment: what launching it does, and the copy that its run keeps."""

    preview: Preview
    copy: PlanCopy


def plan_snapshot(plan: TestPlan, *, seed: int | None = None) -> Snapshot:
    """Cases and copy from one reading of the plan, so that they cannot differ. `seed` is the order
    of the interleaved blocks, a fresh one if None.
    """
    data = plan_data(plan)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    preview = preview_of(data, seed=seed, pace=pace_of(data))
    return Snapshot(preview, _copy(plan, data, seed))


def _copy(plan: TestPlan, data: PlainPlan, seed: int) -> PlanCopy:
    return PlanCopy(
        id=plan.pk,
        name=plan.name,
        description=plan.description,
        repeats=data.repeats,
        order=data.order,
        unapplied=plan.unapplied,
        seed=seed,
        until=data.until,
        saturates=data.saturates,
        saturates_hours=data.saturates_hours,
        steps=[
            CopiedStep(step.name, step.tool, dict(step.params), list(step.expectations))
            for step in data.steps
        ],
        targets=[_target_copy(target) for target in data.targets],
        tunings=[CopiedTuning(t.id, t.name, t.settings, t.settle) for t in data.all_tunings],
        baseline=data.baseline_tuning.name,
        preparation=plan.preparation,
        rounds=plan.rounds,
    )


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


def _target_copy(target: PlannedTarget) -> CopiedTarget:
    return CopiedTarget(
        kind=target.kind,
        id=target.id,
        identity=target.identity,
        label=target.label,
        size=target.size,
        host=CopiedHost(target.host.id, target.host.name),
        hosts=[CopiedHost(host.id, host.name) for host in target.hosts],
        members=[_part_copy(part) for part in target.members],
    )


def _part_copy(part: PlannedMember) -> CopiedPart:
    return CopiedPart(
        role=part.role,
        kind=part.kind,
        id=part.id or None,
        identity=part.identity,
        label=part.label,
        size=part.size,
        host=part.host.name,
        make=part.make,
    )


def recent_runs(plan: TestPlan, *, most: int = 10) -> list[Any]:
    """The plan's newest runs."""
    return list(plan.runs.select_related("owner").order_by("-id")[:most])
