"""Creating, changing, copying, archiving and deleting plans."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import AuditEntry, User
from apps.accounts.tests.factories import create_team
from apps.inventory.models import Disk
from apps.plans.domain.preview import preview_of
from apps.plans.models import TestPlan
from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.plan import StepSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import plan_draft, plan_preview
from apps.plans.selectors.templates import template_draft, templates
from apps.plans.services.plans import (
    plan_archive,
    plan_clone,
    plan_create,
    plan_delete,
    plan_update,
)
from apps.plans.tests.factories import GIB, a_disk, a_draft, a_step, create_disk, create_plan


def test_a_plan_keeps_its_draft_and_is_recorded(owner: User) -> None:
    disk = create_disk()
    draft = a_draft(targets=[disk], description="why", repeats=3)
    plan = plan_create(user=owner, draft=draft)
    kept = plan_draft(plan)
    assert (kept.name, kept.description, kept.spec.repeats) == (draft.name, "why", 3)
    assert kept.targets == [disk]
    assert AuditEntry.objects.get(object_type="testplan").action == "create"


def test_a_viewer_creates_nothing(viewer: User) -> None:
    with pytest.raises(PermissionDenied):
        plan_create(user=viewer, draft=a_draft())


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": ""}, "name"),
        ({"repeats": 0}, "repeats"),
        ({"order": "backwards"}, "order"),
        ({"steps": []}, "steps"),
        ({"steps": [a_step(bs="many")]}, "steps.0.params.bs"),
        ({"steps": [a_step(), StepSpec("nonsense", {})]}, "steps.1.tool"),
    ],
)
def test_a_bad_draft_is_refused_at_its_field(
    owner: User, values: dict[str, object], field: str
) -> None:
    with pytest.raises(PlanError) as caught:
        plan_create(user=owner, draft=a_draft(**values))
    assert field in caught.value.fields
    assert caught.value.status == 400
    assert not TestPlan.objects.exists()


def test_a_name_is_taken_once(owner: User) -> None:
    create_plan(owner=owner, name="mine")
    with pytest.raises(PlanError) as caught:
        plan_create(user=owner, draft=a_draft(name="mine"))
    assert "name" in caught.value.fields


def test_plan_without_targets_can_be_saved(owner: User) -> None:
    assert plan_create(user=owner, draft=a_draft()).pk


def test_a_team_of_others_is_refused(operator: User) -> None:
    with pytest.raises(PlanError) as caught:
        plan_create(user=operator, draft=a_draft(team=create_team()))
    assert "team" in caught.value.fields


def test_the_owner_changes_steps_and_targets(owner: User) -> None:
    plan = create_plan(owner=owner)
    draft = a_draft(name=plan.name, steps=[a_step(rw="read"), a_step(rw="write")])
    plan_update(plan=plan, user=owner, draft=draft)
    kept = plan_draft(TestPlan.objects.get())
    assert [step.params["rw"] for step in kept.spec.steps] == ["read", "write"]
    assert kept.targets == []


def test_a_stranger_changes_nothing(owner: User, stranger: User) -> None:
    plan = create_plan(owner=owner)
    acts = (
        lambda: plan_update(plan=plan, user=stranger, draft=a_draft()),
        lambda: plan_archive(plan=plan, user=stranger),
        lambda: plan_delete(plan=plan, user=stranger),
    )
    for act in acts:
        with pytest.raises(PermissionDenied):
            act()
    assert TestPlan.objects.get().archived_at is None


def test_a_team_member_may_change_it(owner: User, stranger: User) -> None:
    team = create_team()
    owner.teams.add(team)
    stranger.teams.add(team)
    plan = create_plan(owner=owner, team=team)
    changed = plan_update(plan=plan, user=stranger, draft=a_draft(name="theirs too", team=team))
    assert changed.owner == owner


def test_a_copy_belongs_to_whoever_made_it(owner: User, stranger: User) -> None:
    plan = create_plan(owner=owner, name="nightly")
    first = plan_clone(plan=plan, user=stranger)
    second = plan_clone(plan=plan, user=stranger)
    assert (first.name, second.name) == ("nightly (copy)", "nightly (copy 2)")
    assert first.owner == stranger
    assert plan_draft(first).targets == plan_draft(plan).targets


def test_an_archived_plan_is_not_changed(owner: User) -> None:
    plan = plan_archive(plan=create_plan(owner=owner), user=owner)
    with pytest.raises(PlanError):
        plan_update(plan=plan, user=owner, draft=a_draft())
    plan_archive(plan=plan, user=owner, archived=False)
    assert plan_update(plan=plan, user=owner, draft=a_draft(name="again")).name == "again"


def test_a_plan_that_never_ran_can_be_deleted(owner: User) -> None:
    plan_delete(plan=create_plan(owner=owner), user=owner)
    assert not TestPlan.objects.exists()
    assert AuditEntry.objects.filter(object_type="testplan", action="delete").exists()


def test_a_plan_with_runs_is_archived_not_deleted(owner: User) -> None:
    plan = create_plan(owner=owner)
    plan.runs.create(name="run", owner=owner)
    with pytest.raises(PlanError, match="Archive it"):
        plan_delete(plan=plan, user=owner)


def test_the_standard_four_write_before_they_read() -> None:
    steps = template_draft("standard-four", seconds=60).spec.steps
    assert [step.params["rw"] for step in steps] == ["randwrite", "randread", "write", "read"]
    assert {step.params["runtime"] for step in steps} == {60}
    assert [step.params["bs"] for step in steps] == ["4k", "4k", "4M", "4M"]


def test_template_fits_a_small_disk_on_request(owner: User) -> None:
    disk = create_disk(size=GIB)
    with pytest.raises(PlanError):
        plan_create(user=owner, draft=on(disk, template_draft("standard-four")))
    small = template_draft("standard-four", space=GIB)
    plan = plan_create(user=owner, draft=on(disk, small))
    assert {step.params["size"] for step in plan_draft(plan).spec.steps} == {GIB}


@pytest.mark.parametrize("key", [key for key, _tool, _template in templates()])
def test_each_template_is_a_plan_that_a_disk_can_have(key: str, owner: User) -> None:
    disk = create_disk(size=200 * GIB)
    plan = plan_create(user=owner, draft=on(disk, template_draft(key)))
    preview = plan_preview(plan)
    assert not [problem for problem in preview.problems if problem.saving]
    assert preview.cases


def test_the_iops_test_of_the_specification_has_56_points_after_its_preparation() -> None:
    draft = template_draft("pts-iops")
    cases = preview_of(replace(draft, targets=[]).data()).cases
    assert not cases
    plan = replace(draft.data(), targets=(a_disk(),))
    cases = preview_of(plan).cases
    assert [case.purpose for case in cases[:3]] == ["precondition"] * 3
    measuring = cases[3:]
    assert len(measuring) == 56
    assert len({case.workload_key for case in measuring}) == 56
    assert {case.timed_seconds for case in measuring if case.writes} == {60.0}
    tracked = [case for case in measuring if case.step == plan.spec.steady_state.step - 1]
    assert [case.label for case in tracked] == ["random write 4 KiB, QD 32, 4 jobs"]


def on(disk: Disk, draft: PlanDraft) -> PlanDraft:
    return replace(draft, targets=[disk])


def test_a_template_nobody_knows() -> None:
    with pytest.raises(PlanError) as caught:
        template_draft("nonsense")
    assert caught.value.status == 404
