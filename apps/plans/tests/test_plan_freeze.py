"""The copy of a plan that a run keeps."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.plans.contract import STORED
from apps.plans.selectors import plan_data, plan_preview, plan_snapshot
from apps.plans.tests.factories import a_step, create_disk, create_plan
from apps.tuning.services import TuningDraft, tuning_create

NONE = {"kind": "queue", "name": "scheduler", "value": "none"}


def test_it_is_json_with_everything_a_run_needs(owner: User) -> None:
    tuning = tuning_create(user=owner, draft=TuningDraft("fast", settings=[NONE], settle=2.0))
    disk = create_disk()
    plan = create_plan(owner=owner, targets=[disk], tunings=[tuning], repeats=4)
    copy = STORED.plain(plan_snapshot(plan, seed=5).copy)
    assert (copy["id"], copy["repeats"], copy["seed"]) == (plan.pk, 4, 5)
    assert copy["tunings"] == [{"id": tuning.pk, "name": "fast", "settings": [NONE], "settle": 2.0}]
    assert copy["targets"][0]["identity"] == disk.identity
    assert copy["targets"][0]["host"] == {"id": disk.host.pk, "name": disk.host.name}
    assert copy["steps"][0]["params"]["rw"] == "randwrite"


def test_without_a_seed_each_copy_has_its_own(owner: User) -> None:
    plan = create_plan(owner=owner)
    assert plan_snapshot(plan).copy.seed != plan_snapshot(plan).copy.seed


def test_the_rows_become_the_data_they_were_made_of(owner: User) -> None:
    steps = [a_step("first", rw="randwrite"), a_step("second", rw="read")]
    plan = create_plan(owner=owner, steps=steps)
    assert plan_data(plan).steps == tuple(steps)
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


def test_cases_and_copy_come_from_one_reading(owner: User) -> None:
    plan = create_plan(owner=owner)
    with CaptureQueriesContext(connection) as captured:
        snapshot = plan_snapshot(plan, seed=5)
    steps = [query["sql"] for query in captured if 'FROM "plans_planstep"' in query["sql"]]
    assert len(steps) == 1
    assert snapshot.copy.seed == 5
    assert {case.tool for case in snapshot.preview.cases} == {
        step.tool for step in snapshot.copy.steps
    }
