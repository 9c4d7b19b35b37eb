"""What the database refuses about states, whoever writes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from apps.accounts.models import User
from apps.runs.models import FINAL_RUN, Attempt, AttemptState, Case, CaseState, Run, RunState
from apps.runs.tests.factories import create_attempt, create_run


@pytest.fixture
def run(owner: User) -> Run:
    """With one case and one attempt."""
    run = create_run(owner=owner)
    create_attempt(run.cases.get(), valid=False)
    return Run.objects.get(pk=run.pk)


@pytest.mark.parametrize("model", [Run, Case, Attempt])
def test_state_that_is_unknown_is_refused(run: Run, model: Any) -> None:
    with pytest.raises(IntegrityError, match="known_state"):
        model.objects.update(state="dancing")


@pytest.mark.parametrize("state", list(RunState))
def test_run_with_an_end_must_have_ended(run: Run, state: RunState) -> None:
    row = Run.objects.filter(pk=run.pk)
    if state in FINAL_RUN:
        assert row.update(state=state, finished_at=timezone.now())
        with pytest.raises(IntegrityError, match="an_ended_run_has_no_worker"):
            row.update(lease_until=timezone.now())
    else:
        with pytest.raises(IntegrityError, match="only_an_ended_run_has_an_end"):
            row.update(state=state, finished_at=timezone.now())


def test_attempt_that_failed_cannot_be_valid(run: Run) -> None:
    with pytest.raises(IntegrityError, match="only_a_success"):
        Attempt.objects.update(state=AttemptState.LOST, valid=True)


def test_case_that_succeeded_has_no_fault(run: Run) -> None:
    with pytest.raises(IntegrityError, match="case_failure_cause_known"):
        Case.objects.update(state=CaseState.SUCCEEDED, failure_cause="tool")
