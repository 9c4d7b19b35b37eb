"""States only go forward, also where the writer read the row before somebody else changed it."""

from __future__ import annotations

from itertools import product
from threading import Thread

import pytest
from django.db import connections, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.runs.models import Attempt, AttemptState, Case, CaseState, Run, RunState
from apps.runs.services.transitions import (
    ATTEMPT_NEXT,
    CASE_NEXT,
    RUN_NEXT,
    InvalidTransition,
    attempt_transition,
    case_transition,
    cases_transition,
    run_transition,
)
from apps.runs.tests.factories import create_attempt, create_run


@pytest.fixture
def run(owner: User) -> Run:
    """With one case and one attempt."""
    run = create_run(owner=owner)
    create_attempt(run.cases.get(), valid=False)
    return Run.objects.get(pk=run.pk)


@pytest.mark.parametrize(("before", "after"), list(product(AttemptState, AttemptState)))
def test_attempt_transition_writes_what_the_table_allows(
    run: Run, before: AttemptState, after: AttemptState
) -> None:
    attempt = Attempt.objects.get(case__run=run)
    Attempt.objects.update(state=before)
    if before == after or after in ATTEMPT_NEXT.get(before, set()):
        attempt_transition(attempt, after)
        assert attempt.state == after == Attempt.objects.get(pk=attempt.pk).state
        return
    with pytest.raises(InvalidTransition):
        attempt_transition(attempt, after)
    assert Attempt.objects.get(pk=attempt.pk).state == before


@pytest.mark.parametrize(("before", "after"), list(product(CaseState, CaseState)))
def test_case_transition_writes_what_the_table_allows(
    run: Run, before: CaseState, after: CaseState
) -> None:
    case = run.cases.get()
    Case.objects.update(state=before)
    if before == after or after in CASE_NEXT.get(before, set()):
        case_transition(case, after, reason="because")
        assert Case.objects.filter(pk=case.pk, state=after, reason="because").exists()
        return
    with pytest.raises(InvalidTransition):
        case_transition(case, after)
    assert Case.objects.get(pk=case.pk).state == before


def test_run_transition_to_a_state_that_may_not_follow_is_refused(run: Run) -> None:
    assert RunState.SUCCEEDED not in RUN_NEXT[RunState.QUEUED]
    with pytest.raises(InvalidTransition):
        run_transition(run, RunState.SUCCEEDED, finished_at=timezone.now())
    run_transition(run, RunState.RUNNING, worker="w")
    assert Run.objects.filter(pk=run.pk, state=RunState.RUNNING, worker="w").exists()


def test_cases_transition_leaves_cases_that_may_not_follow(run: Run) -> None:
    Case.objects.update(state=CaseState.SUCCEEDED)
    assert cases_transition(run.cases.all(), CaseState.PENDING) == 0
    assert run.cases.get().state == CaseState.SUCCEEDED


@pytest.mark.django_db(transaction=True)
def test_stale_writer_on_another_connection_changes_nothing(owner: User) -> None:
    run = create_run(owner=owner)
    stale = Run.objects.get(pk=run.pk)
    refused: list[InvalidTransition] = []

    def write() -> None:
        try:
            run_transition(stale, RunState.RUNNING, worker="stale")
        except InvalidTransition as error:
            refused.append(error)
        finally:
            connections.close_all()

    writer = Thread(target=write)
    with transaction.atomic():
        run_transition(run, RunState.CANCELLED, finished_at=timezone.now())
        writer.start()
        writer.join(0.5)
        assert writer.is_alive()  # it waits for the row
    writer.join(20)
    assert len(refused) == 1
    assert Run.objects.filter(pk=run.pk, state=RunState.CANCELLED, worker="").exists()
    assert stale.state == RunState.QUEUED
