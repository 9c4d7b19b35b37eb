"""A case is measured again when only its background load failed, up to a limit."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.execution.domain.failures import Failure
from apps.execution.domain.outcome import is_of_load
from apps.execution.services.load_repeats import MAX_ATTEMPTS, case_repeat
from apps.runs.models import Attempt, AttemptState, Case, CaseState, FailureCause, Run
from apps.runs.schemas import EarlyEnd
from apps.runs.tests.factories import create_disk, create_host, create_run

FAILED, LOST, CANCELLED = AttemptState.FAILED, AttemptState.LOST, AttemptState.CANCELLED
GAP = Failure(FAILED, "the load ended first", FailureCause.HOST)
BY_LOAD = EarlyEnd("failed", of_load=True)


@pytest.mark.parametrize(
    ("stopped", "failure", "gap", "repeats"),
    [
        (EarlyEnd(), GAP, GAP, True),
        (BY_LOAD, Failure(FAILED, "SIGKILL", FailureCause.TOOL), GAP, True),
        (EarlyEnd(), None, None, False),
        (EarlyEnd(), Failure(FAILED, "the test failed", FailureCause.TOOL), GAP, False),
        (EarlyEnd("failed"), Failure(FAILED, "the test", FailureCause.HOST), GAP, False),
        (BY_LOAD, Failure(FAILED, "no more to do", FailureCause.PLAN), GAP, False),
        (BY_LOAD, Failure(LOST, "gone", FailureCause.HOST), GAP, False),
        (EarlyEnd("cancelled"), Failure(CANCELLED, "cancelled", ""), None, False),
    ],
)
def test_only_a_failed_load_repeats_a_test(
    stopped: EarlyEnd, failure: Failure | None, gap: Failure | None, repeats: bool
) -> None:
    assert is_of_load(stopped, failure, gap) is repeats


@pytest.fixture
def case(owner: User) -> Case:
    run = create_run(owner=owner, target=create_disk(host=create_host(), owner=owner))
    found = run.cases.get()
    Case.objects.filter(pk=found.pk).update(state=CaseState.FAILED, reason="its load was killed")
    return Case.objects.get(pk=found.pk)


def repeated(case: Case) -> bool:
    """Apply the rule to a failed case; return True if it is pending then."""
    Case.objects.filter(pk=case.pk).update(state=CaseState.FAILED)
    case.refresh_from_db()
    case_repeat(Run.objects.get(pk=case.run_id), case)
    return Case.objects.get(pk=case.pk).state == CaseState.PENDING


@pytest.mark.django_db
def test_attempts_are_limited_and_a_retry_begins_again(case: Case) -> None:
    rows = []
    for number in range(1, MAX_ATTEMPTS + 1):
        Attempt.objects.create(case=case, number=number, state=FAILED, valid=False)
        rows.append(repeated(case))
    assert rows == [True] * (MAX_ATTEMPTS - 1) + [False]
    assert case.run.events.filter(kind="repeat").count() == MAX_ATTEMPTS - 1
    Run.objects.filter(pk=case.run_id).update(waiting_since=timezone.now() + timedelta(seconds=1))
    assert repeated(case)


@pytest.mark.django_db
def test_a_cancelled_run_repeats_nothing(case: Case) -> None:
    Attempt.objects.create(case=case)
    Run.objects.filter(pk=case.run_id).update(cancel_requested_at=timezone.now())
    assert not repeated(case)
