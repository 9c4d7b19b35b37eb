"""The jobs of a case beside a load, its claims, and what an approval of its run is bound to."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.execution.jobs.spec import attempt_jobs
from apps.execution.services.preflight import refusal_reason
from apps.inventory.models import Disk
from apps.plans.schemas.plan import StepSpec
from apps.plans.selectors.target_names import target_value
from apps.runs.models import Attempt, Run
from apps.runs.models.jobs import BACKGROUND
from apps.runs.selectors.effects import run_effects
from apps.runs.selectors.extension_blocks import existing_cases
from apps.runs.selectors.resources import resources_of
from apps.runs.tests.factories import create_disk, create_host, create_run
from apps.tools.values import RawParameters

TEST: RawParameters = {"rw": "randread", "bs": "4k", "iodepth": 4, "size": "16M", "runtime": 1}
LOAD: RawParameters = {**TEST, "rw": "write", "bs": "128k", "runtime": 5, "rate_iops": 10}


@pytest.fixture
def disks(owner: User) -> list[Disk]:
    """The tested one and the loaded one, on two hosts."""
    return [create_disk(host=create_host(), owner=owner) for _number in range(2)]


@pytest.fixture
def run(owner: User, disks: list[Disk]) -> Run:
    load = StepSpec("fio", LOAD, role="background", target=target_value(disks[1]))
    return create_run(owner=owner, target=disks[0], steps=[StepSpec("fio", TEST), load])


@pytest.mark.django_db
def test_the_load_is_a_job_of_its_host_that_outlasts_the_test(run: Run, disks: list[Disk]) -> None:
    case = run.cases.get(background__isnull=False)
    attempt = Attempt.objects.create(case=case)
    jobs = attempt_jobs(attempt)
    assert [job.role for job in jobs] == ["client", BACKGROUND]
    test, load = jobs
    assert [job.host_id for job in jobs] == case.host_ids == [disk.host_id for disk in disks]
    assert test.is_held
    assert not load.is_held
    assert load.spans_stages
    assert load.spec["tuning"] == []
    target = load.spec["target"]
    assert target is not None
    assert target["kind"] == "disk"
    assert (target["identity"], target["write"]) == (disks[1].identity, True)
    options = load.spec["commands"][0]["argv"]
    (runtime,) = [word for word in options if word.startswith("--runtime=")]
    assert int(runtime[len("--runtime=") : -1]) > test.spec["deadline"]
    assert "--time_based=1" in options
    assert load.spec["deadline"] > test.spec["deadline"]
    for job in jobs:
        job.save()
    assert refusal_reason(attempt) == ""
    Disk.objects.filter(pk=disks[1].pk).update(enrolled_at=None)
    assert "no longer enrolled" in refusal_reason(Attempt.objects.get())


@pytest.mark.django_db
def test_the_run_claims_the_load_and_its_effects_have_it(run: Run, disks: list[Disk]) -> None:
    resources = resources_of(run)
    assert {f"host:{disk.host_id}" for disk in disks} <= set(resources)
    assert {f"disk:{disk.claim}" for disk in disks} <= set(resources)
    found = run_effects(run)
    assert found.writes_disks
    assert found.effects.cases == 2
    assert len(found.effects.targets) == 2
    assert found.effects.bytes_written is not None
    assert found.effects.bytes_written >= 10 * 128 * 1024
    assert any('"rate_iops":10' in one.params for one in found.effects.workloads)
    (test,) = existing_cases(run).tests
    assert len(test) == 2
