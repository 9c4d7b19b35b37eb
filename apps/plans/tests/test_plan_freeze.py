"""The copy of a plan that a run keeps."""

from __future__ import annotations

from apps.accounts.models import User
from apps.plans.selectors.plans import plan_data, plan_preview, plan_snapshot
from apps.plans.tests.factories import a_step, create_disk, create_plan

NONE = {"kind": "queue", "name": "scheduler", "value": "none"}


def test_without_a_seed_each_snapshot_has_its_own(owner: User) -> None:
    plan = create_plan(owner=owner)
    assert plan_snapshot(plan).seed != plan_snapshot(plan).seed


def test_the_rows_become_the_data_they_were_made_of(owner: User) -> None:
    steps = [a_step("first", rw="randwrite"), a_step("second", rw="read")]
    plan = create_plan(owner=owner, steps=steps)
    assert plan_data(plan).spec.steps == tuple(steps)
    (target,) = plan_data(plan).targets
    assert target.host.cpu_count == 8
    assert target.schedulers == ("none", "mq-deadline")


def test_the_preview_follows_the_seed_and_sees_the_lab(owner: User) -> None:
    disk = create_disk()
    plan = create_plan(owner=owner, targets=[disk])
    assert plan_preview(plan).problems == ()
    assert len(plan_preview(plan, seed=3).cases) == 6
    disk.enrolled_at = None
    disk.save()
    (problem,) = plan_preview(plan).problems
    assert "not enrolled" in problem.message
