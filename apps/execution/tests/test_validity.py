"""Only what succeeded has valid figures."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.services.attempt_end import attempt_end
from apps.runs.models import AttemptState
from apps.runs.tests.factories import create_attempt, create_run


@pytest.mark.parametrize("state", [AttemptState.FAILED, AttemptState.LOST, AttemptState.CANCELLED])
def test_what_did_not_succeed_is_not_valid(
    owner: User, api: Callable[[User | None], APIClient], state: AttemptState
) -> None:
    run = create_run(owner=owner)
    case = run.cases.get()
    attempt = create_attempt(case, state=AttemptState.RUNNING, ended_at=None)
    told = api(owner).get(f"/api/v1/cases/{case.pk}/").json()["attempts"][0]
    assert told["valid"] is None
    attempt_end(run, attempt, AttemptOutcome(state, "it broke"))
    told = api(owner).get(f"/api/v1/cases/{case.pk}/").json()["attempts"][0]
    assert (told["valid"], told["reason"]) == (False, "it broke")
