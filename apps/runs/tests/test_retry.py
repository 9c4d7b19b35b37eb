"""Retrying: what has no result is queued once more, what was tried stays as it was."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.runs.models import AttemptState, CaseState, FailureCause, Run, RunState
from apps.runs.services.annotations import run_annotate
from apps.runs.services.runs import run_retry
from apps.runs.tests.factories import create_attempt, create_run, end_run


@pytest.fixture
def run(owner: User) -> Run:
    """Two cases: one succeeded, one failed."""
    run = create_run(owner=owner, repeats=2)
    first, second = run.cases.order_by("sequence")
    create_attempt(first)
    create_attempt(
        second, state=AttemptState.FAILED, reason="broken", failure_cause=FailureCause.TOOL
    )
    return end_run(run, RunState.FAILED, "1 of 2 cases failed")


def test_only_cases_without_a_result_are_queued(run: Run, owner: User) -> None:
    run = run_retry(run=run, user=owner)
    assert (run.state, run.reason, run.finished_at) == (RunState.QUEUED, "", None)
    first, second = run.cases.order_by("sequence")
    assert first.state == CaseState.SUCCEEDED
    assert (second.state, second.reason, second.failure_cause) == (CaseState.PENDING, "", "")
    assert [a.reason for a in second.attempts.all()] == ["broken"]


def test_a_cancelled_run_can_be_retried(run: Run, owner: User) -> None:
    Run.objects.filter(pk=run.pk).update(
        state=RunState.CANCELLED, cancel_requested_by=owner, cancel_requested_at=run.queued_at
    )
    run = run_retry(run=run, user=owner)
    assert not run.is_cancelling
    assert run.cancel_requested_by is None


def test_a_run_that_goes_on_is_not_retried(run: Run, owner: User) -> None:
    run_retry(run=run, user=owner)
    with pytest.raises(ServiceError, match="has not ended yet"):
        run_retry(run=run, user=owner)


def test_a_confirmed_wipe_is_not_confirmed_again(run: Run, owner: User) -> None:
    """Since the launch somebody may have made a file system on the disk."""
    Run.objects.filter(pk=run.pk).update(wipe_confirmed_by=owner)
    run_retry(run=run, user=owner)
    run.refresh_from_db()
    assert run.wipe_confirmed_by is None


def test_retry_without_failed_cases_is_rejected(run: Run, owner: User) -> None:
    run.cases.update(state=CaseState.SUCCEEDED, reason="", failure_cause="")
    with pytest.raises(ServiceError, match="nothing to retry"):
        run_retry(run=run, user=owner)
    run.refresh_from_db()
    assert run.state == RunState.FAILED


def test_the_page_retries(run: Run, owner_client: Client, stranger_client: Client) -> None:
    address = reverse("run_retry", args=[run.pk])
    assert stranger_client.post(address).status_code == 403
    assert "queued once more" in owner_client.post(address, follow=True).content.decode()
    assert "has not ended yet" in owner_client.post(address, follow=True).content.decode()


def test_the_note_is_the_owners(run: Run, owner_client: Client, stranger_client: Client) -> None:
    address = reverse("run_note", args=[run.pk])
    assert stranger_client.post(address, {"note": "mine"}).status_code == 403
    owner_client.post(address, {"note": "the fan was off"})
    run.refresh_from_db()
    assert run.note == "the fan was off"
    answer = owner_client.post(address, {"note": "x" * 5_001}, follow=True)
    assert "at most 5000" in answer.content.decode()


def test_annotating_is_recorded(run: Run, owner: User) -> None:
    assert run_annotate(run=run, user=owner, note="n").note == "n"
