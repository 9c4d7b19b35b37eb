"""The baseline of a plan, as its runs keep it."""

from __future__ import annotations

from apps.accounts.models import User
from apps.plans.models import TestPlan
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_disk, create_host, create_plan
from apps.tuning.services import TuningDraft, default_profile_ensure, tuning_create


def _frozen(plan: TestPlan, owner: User) -> list[str]:
    run = run_launch(plan=plan, user=owner)
    return [row.name for row in run.tunings.filter(is_baseline=True)]


def test_launch_freezes_the_plans_baseline(owner: User) -> None:
    disk = create_disk(host=create_host(), owner=owner)
    setting = {"kind": "queue", "name": "scheduler", "value": "none"}
    none = tuning_create(user=owner, draft=TuningDraft("none", settings=[setting]))
    both = (default_profile_ensure(user=owner), none)
    plan = create_plan(owner=owner, target=disk, tunings=both, baseline=none)
    assert _frozen(plan, owner) == ["none"]
    plan.baseline = None
    plan.save()
    assert _frozen(plan, owner) == ["Host defaults"], "the default"
    alone = create_plan(owner=owner, target=disk)
    assert _frozen(alone, owner) == ["Host defaults"], "no tunings"
