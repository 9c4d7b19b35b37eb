"""Which attempts share settings that restart daemons, and which must have them restored first."""

from __future__ import annotations

import uuid
from typing import cast

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.execution.selectors.carried_settings import (
    CarriedSettings,
    carried_before,
    hosts_left_changed,
    next_shares_settings,
)
from apps.execution.tests.several import create_case, member
from apps.inventory.models import Host
from apps.remote.job_spec import JobSpec
from apps.runs.models import (
    AbandonedAttempt,
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    JobState,
    RunTuning,
)
from apps.runs.tests.factories import create_host
from apps.tuning.schemas.settings import Setting

SHARDS = Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool")


@pytest.fixture
def hosts() -> list[Host]:
    return [create_host(), create_host()]


@pytest.fixture
def case(owner: User, hosts: list[Host]) -> Case:
    """A running case of a pool, with the next case of the same tuning after it."""
    rows = [
        member(hosts[0], kind="pool", identity="bench", size=None),
        member(hosts[1], kind="osds", role="osd_host", identity="osds:0,3", size=None),
    ]
    case = create_case(owner=owner, members=rows, settings=[SHARDS])
    Case.objects.filter(pk=case.pk).update(state=CaseState.RUNNING)
    add_case(case, 1)
    return Case.objects.get(pk=case.pk)


def add_case(like: Case, after: int, **fields: object) -> Case:
    values = {
        "run": like.run,
        "workload": like.workload,
        "run_target": like.run_target,
        "run_tuning": like.run_tuning,
        "sequence": like.sequence + after,
    }
    return Case.objects.create(**values | fields)


def attempt_of(case: Case, state: str = AttemptState.RUNNING, key: str = "k") -> Attempt:
    valid = state != AttemptState.LOST
    attempt = Attempt.objects.create(case=case, state=state, valid=valid)
    for host in case.host_ids:
        AttemptJob.objects.create(
            pk=uuid.uuid4(),
            attempt=attempt,
            host_id=host,
            name=f"host-{host}",
            role="settings",
            position=host,
            launched=True,
            state=JobState.DONE,
            spec=cast(JobSpec, {"carry": f"{key}-{host}", "commands": []}),
        )
    return attempt


def test_the_next_case_of_the_target_and_tuning_shares(case: Case) -> None:
    assert next_shares_settings(attempt_of(case))


def test_other_next_cases_do_not_share(case: Case) -> None:
    attempt = attempt_of(case)
    following = Case.objects.get(run=case.run_id, sequence=case.sequence + 1)
    other = RunTuning.objects.create(run=case.run, position=7, name="other")
    Case.objects.filter(pk=following.pk).update(run_tuning=other)
    assert not next_shares_settings(attempt)
    # A case that was filed under another tuning than planned counts as planned.
    Case.objects.filter(pk=following.pk).update(requested_tuning=case.run_tuning)
    assert next_shares_settings(attempt)
    Case.objects.filter(pk=following.pk).update(state=CaseState.CANCELLED)
    assert not next_shares_settings(attempt)


def test_a_cancelled_run_shares_nothing(case: Case) -> None:
    attempt = attempt_of(case)
    type(case.run).objects.filter(pk=case.run_id).update(cancel_requested_at=timezone.now())
    assert not next_shares_settings(attempt)


def jobs_of(attempt: Attempt) -> set[str]:
    return {str(pk) for pk in attempt.jobs.values_list("pk", flat=True)}


def ids(rows: list[CarriedSettings]) -> set[str]:
    return {row.job for row in rows}


def test_settings_of_ended_attempts_are_restored_unless_taken_over(case: Case) -> None:
    first = attempt_of(case, AttemptState.SUCCEEDED)
    following = Case.objects.get(run=case.run_id, sequence=case.sequence + 1)
    assert carried_before(attempt_of(following)).foreign == []
    other = attempt_of(add_case(case, 2), key="other")
    assert ids(carried_before(other).foreign) == jobs_of(first)
    assert hosts_left_changed(case.run_id) == sorted(case.host_ids)
    reached, left = first.jobs.order_by("pk")
    AttemptJob.objects.filter(pk=reached.pk).update(removed_from_host=True)
    assert ids(carried_before(other).foreign) == {str(left.pk)}
    done = {"tuning": {"restored": [{"name": "osd_op_num_shards"}]}}
    AttemptJob.objects.filter(pk=left.pk).update(exit=done)
    assert carried_before(other).foreign == []
    assert hosts_left_changed(case.run_id) == []


@pytest.mark.parametrize("state", [JobState.LOST, JobState.INVALID_RESPONSE, JobState.OPEN])
def test_settings_of_jobs_without_a_known_end_are_restored(case: Case, state: JobState) -> None:
    first = attempt_of(case, AttemptState.LOST)
    first.jobs.update(state=state)
    rows = carried_before(attempt_of(add_case(case, 2), key="other")).foreign
    assert (ids(rows), {row.confirmed for row in rows}) == (jobs_of(first), {False})
    reached, unresponsive = sorted(case.host_ids)
    AbandonedAttempt.objects.create(attempt=first, host_id=unresponsive)
    assert hosts_left_changed(case.run_id) == [reached]


def test_jobs_whose_settings_were_taken_over_are_deleted_but_the_newest(case: Case) -> None:
    first = attempt_of(case, AttemptState.SUCCEEDED)
    attempt_of(add_case(case, 2), AttemptState.SUCCEEDED)
    third = attempt_of(add_case(case, 3))
    assert ids(carried_before(third).taken_over) == jobs_of(first)
    assert carried_before(first).taken_over == []
