"""Queries for plans, their targets, previews and lists."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from apps.plans.domain.preview import preview_of
from apps.plans.models import TestPlan
from apps.plans.schemas.planned import PlannedPlan, Preview
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.durations import plan_durations
from apps.plans.selectors.over_provisioning import with_stated_shares
from apps.plans.selectors.target_kinds import rows_of
from apps.plans.selectors.wear import with_wear

SEED_BITS = 31


def plan_draft(plan: TestPlan) -> PlanDraft:
    """Return a saved plan as a draft, in a constant number of queries."""
    targets = [row.target for row in plan.targets.select_related("target")]
    return PlanDraft(
        name=plan.name,
        description=plan.description,
        spec=plan.spec,
        targets=rows_of(targets),
        tunings=list(plan.tunings.order_by("name")),
        baseline=plan.baseline,
        team=plan.team,
    )


def plan_data(plan: TestPlan) -> PlannedPlan:
    """Return a saved plan for the expansion."""
    return plan_draft(plan).data()


def plan_preview(plan: TestPlan, *, seed: int = 0) -> Preview:
    """Return the preview of a launch at present, with every problem."""
    data = plan_data(plan)
    preview = preview_of(data, seed=seed, durations=plan_durations(data))
    return with_stated_shares(with_wear(preview), data)


def draft_preview(draft: PlanDraft) -> Preview:
    """Return the preview of a draft that is not saved, with every problem."""
    data = draft.data()
    preview = preview_of(data, durations=plan_durations(data))
    return with_stated_shares(with_wear(preview), data)


class Snapshot(NamedTuple):
    """Input of a launch: the plan with its targets, the preview of its cases, and the seed."""

    plan: PlannedPlan
    preview: Preview
    seed: int


def plan_snapshot(plan: TestPlan, *, seed: int | None = None) -> Snapshot:
    """Read a plan once for its launch; `seed` orders the blocks, a random one if None."""
    data = plan_data(plan)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    return Snapshot(data, preview_of(data, seed=seed, durations=plan_durations(data)), seed)


def plans_visible() -> QuerySet[TestPlan]:
    """Return every plan, newest first, with the columns of lists; all users may see all."""
    return (
        TestPlan.objects.select_related("owner", "team")
        .annotate(
            target_count=Count("targets", distinct=True),
            tuning_count=Count("tunings", distinct=True),
        )
        .order_by("-id")
    )


def recent_runs(plan: TestPlan, *, most: int = 10) -> list[Any]:
    """Return the plan's newest runs."""
    return list(plan.runs.select_related("owner").order_by("-id")[:most])


def unused_name(name: str) -> str:
    """Return `name`, or the first unused of "name (copy)", "name (copy 2)" ...."""
    stem = name[:80]
    taken = set(TestPlan.objects.filter(name__startswith=stem).values_list("name", flat=True))
    tries = [stem, _("{} (copy)").format(stem)]
    tries += [_("{} (copy {})").format(stem, number) for number in range(2, len(taken) + 3)]
    return next(candidate for candidate in tries if candidate not in taken)
