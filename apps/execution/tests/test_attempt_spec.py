"""The specification for the agent: only what the case and the launch allow."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.models import User
from apps.execution.jobs.commands import OUTPUT_LIMIT
from apps.execution.jobs.spec import attempt_jobs
from apps.runs.models import Attempt, Run
from apps.runs.tests.factories import PARAMS, create_run

WRITING = PARAMS | {"rw": "randwrite"}


def spec_of(run: Run) -> Any:
    case = run.cases.select_related("run").get()
    (job,) = attempt_jobs(Attempt(case=case))
    return job.spec


def test_a_read_does_not_claim_for_writing(owner: User) -> None:
    target = spec_of(create_run(owner=owner))["target"]
    assert isinstance(target, dict)
    assert target["write"] is False


@pytest.mark.parametrize("confirmed", [False, True])
def test_file_systems_may_be_destroyed_only_when_somebody_confirmed_it(
    owner: User, confirmed: bool
) -> None:
    run = create_run(owner=owner, params=WRITING)
    Run.objects.filter(pk=run.pk).update(wipe_confirmed_by=owner if confirmed else None)
    target = spec_of(Run.objects.get(pk=run.pk))["target"]
    assert isinstance(target, dict)
    assert (target["write"], target["allow_signatures"]) == (True, confirmed)


def test_the_job_is_bounded_in_time_and_bytes(owner: User) -> None:
    spec = spec_of(create_run(owner=owner, params=PARAMS | {"runtime": 100}))
    assert spec["deadline"] == 100 + 400
    assert spec["limit"] == OUTPUT_LIMIT
    assert spec["tuning"] == []
