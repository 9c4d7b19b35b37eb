"""The time a case took is remembered, and since when each phase of the agent lasts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.execution.domain.lease import RunLease
from apps.execution.services.attempt_jobs import jobs_cleared
from apps.execution.services.attempts import attempt_phases_store
from apps.execution.tests.several import opened
from apps.plans.models import CaseTime
from apps.runs.models import Attempt, AttemptState, Case
from apps.runs.presenters.case_rows import now_rows


@pytest.fixture
def attempt(lease: RunLease) -> Attempt:
    attempt = opened(lease, Case.objects.get(run=lease.run_id).pk)
    attempt.created_at = timezone.now() - timedelta(seconds=20)
    attempt.save()
    return attempt


def cleared(lease: RunLease, attempt: Attempt) -> None:
    """Its only host has forgotten it."""
    (job,) = attempt.jobs.all()
    job.removed_from_host = True
    jobs_cleared(lease, attempt)


def test_what_a_case_took_is_remembered(lease: RunLease, attempt: Attempt) -> None:
    attempt.state = AttemptState.SUCCEEDED
    cleared(lease, attempt)
    row = CaseTime.objects.get()
    assert (row.host_id, row.tool) == (attempt.case.host_id, "fio")
    assert (row.workload, row.tuning) == (attempt.case.workload, attempt.case.tuning_name)
    assert row.planned == 1.0
    assert row.taken == pytest.approx(20.0, abs=5)


@pytest.mark.parametrize("state", [AttemptState.FAILED, AttemptState.CANCELLED])
def test_what_gave_no_result_teaches_nothing(
    lease: RunLease, attempt: Attempt, state: AttemptState
) -> None:
    attempt.state = state
    cleared(lease, attempt)
    assert not CaseTime.objects.exists()


def test_since_when_the_settings_are_given_back_is_known(lease: RunLease, attempt: Attempt) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(state=AttemptState.RUNNING)
    attempt_phases_store(lease, {attempt.pk: "running"})
    attempt_phases_store(lease, {attempt.pk: "restoring"})
    since = timezone.now() - timedelta(seconds=75)
    Attempt.objects.filter(pk=attempt.pk).update(phase_since=since)
    attempt_phases_store(lease, {attempt.pk: "restoring"})
    (row,) = now_rows([Attempt.objects.get(pk=attempt.pk)], {})
    assert row.doing == "giving the settings back"
    assert row.doing_for == pytest.approx(75, abs=10)
