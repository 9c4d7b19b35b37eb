"""A load generator that had no processor time left is a remark on the result."""

from __future__ import annotations

import json

import pytest

from apps.accounts.models import User
from apps.execution.services.outcomes import evaluate
from apps.execution.tests.test_outcome import GOOD_EXIT, GOOD_FILES
from apps.runs.models import Attempt, AttemptState
from apps.runs.tests.factories import create_attempt, create_run


@pytest.fixture
def attempt(owner: User) -> Attempt:
    case = create_run(owner=owner).cases.get()
    return create_attempt(case, state="running", exit=GOOD_EXIT, spec={"target": None})


def files(share: float, seconds: int = 8, cores: int = 4) -> dict[str, bytes]:
    """A log of a generator that keeps `share` of a core busy, of one with `cores`."""
    lines = [
        json.dumps({"t": second, "host": {"tool": share * second, "cores": [0] * cores}}) + "\n"
        for second in range(seconds)
    ]
    return GOOD_FILES | {"host.log": "".join(lines).encode()}


def warnings(attempt: Attempt, log: dict[str, bytes]) -> list[str]:
    outcome = evaluate(attempt, log)
    assert outcome.state == AttemptState.SUCCEEDED
    assert not outcome.invalid
    return [text for text in outcome.warnings if "saturated" in text]


def test_one_job_cannot_use_more_than_one_core(attempt: Attempt) -> None:
    (text,) = warnings(attempt, files(0.97))
    assert "it used 0.97 of the 1 CPUs that it can use" in text


@pytest.mark.parametrize("log", [files(0.6), files(0.97, seconds=3), GOOD_FILES])
def test_a_generator_with_time_left_or_that_nobody_watched(
    attempt: Attempt, log: dict[str, bytes]
) -> None:
    assert warnings(attempt, log) == []


def test_many_jobs_on_few_cores(attempt: Attempt) -> None:
    attempt.case.workload.params["numjobs"] = 16
    assert warnings(attempt, files(1.5, cores=2)) == []
    (text,) = warnings(attempt, files(1.99, cores=2))
    assert "it used 1.99 of the 2 CPUs" in text
