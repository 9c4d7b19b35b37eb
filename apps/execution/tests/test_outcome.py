"""The judgement of an ended attempt: its exit, its files and the conditions it ran under."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.accounts.models import User
from apps.execution.services.outcomes import evaluate
from apps.remote.responses import Exit
from apps.runs.models import Attempt, AttemptState, FailureCause
from apps.runs.tests.factories import create_attempt, create_run

GOOD_EXIT: Exit = {"codes": [0], "signals": [None], "clock_step": 0.0, "tuning": {}}
SIDE: dict[str, object] = {
    "total_ios": 100,
    "io_bytes": 409600,
    "bw_bytes": 409600,
    "iops": 100.0,
    "runtime": 1000,
    "lat_ns": {"min": 1, "max": 9, "mean": 5.0, "stddev": 1.0},
    "clat_ns": {"min": 1, "max": 9, "mean": 5.0, "stddev": 1.0},
}
DOCUMENT = {
    "fio version": "fio-3.33",
    "global options": {},
    "jobs": [{"jobname": "benchlab", "error": 0, "read": SIDE}],
}
GOOD_FILES = {"result.json": json.dumps(DOCUMENT, indent=2).encode(), "stderr": b"", "stdout": b""}


@pytest.fixture
def attempt(owner: User) -> Attempt:
    case = create_run(owner=owner).cases.get()
    target = {"kind": "disk", "identity": "loop:a", "write": False}
    return create_attempt(case, state="running", exit=dict(GOOD_EXIT), spec={"target": target})


def store_exit(attempt: Attempt, **exit_: Any) -> Attempt:
    """The attempt whose host said this besides."""
    attempt.jobs.update(exit=GOOD_EXIT | exit_)
    return attempt


def test_complete_output_under_stable_conditions_is_valid(attempt: Attempt) -> None:
    outcome = evaluate(attempt, GOOD_FILES)
    assert outcome.state == AttemptState.SUCCEEDED
    assert outcome.invalid == ""
    assert outcome.parsed is not None
    assert outcome.parsed.measurements[0].iops == 100.0


@pytest.mark.parametrize(
    ("exit_", "state", "words"),
    [
        ({"cancelled": True}, "cancelled", "cancelled"),
        ({"timed_out": True}, "failed", "far longer"),
        ({"over_limit": True}, "failed", "more output"),
        ({"owner_limit": "Owner: stop."}, "failed", "ended by the host's owner: stop."),
        ({"codes": [None], "signals": [9]}, "failed", "signal 9"),
        ({"codes": [1]}, "failed", "exit code 1"),
        ({"codes": []}, "failed", "exit code None"),
        ({"error": "Traceback"}, "failed", "the agent failed"),
    ],
)
def test_an_exit_that_is_no_success(
    attempt: Attempt, exit_: dict[str, object], state: str, words: str
) -> None:
    outcome = evaluate(store_exit(attempt, **exit_), GOOD_FILES)
    assert outcome.state == state
    assert words in outcome.reason
    assert outcome.invalid


@pytest.mark.parametrize(
    ("exit_", "words"),
    [
        ({"tuning": {"changed": [{"name": "scheduler"}]}}, "scheduler"),
        ({"clock_step": -2.5}, "jumped by -2.5 s"),
        ({"identity_after": "loop:b"}, "another one"),
    ],
)
def test_invalid_figures_are_stored_but_not_compared(
    attempt: Attempt, exit_: dict[str, object], words: str
) -> None:
    outcome = evaluate(store_exit(attempt, **exit_), GOOD_FILES)
    assert outcome.state == AttemptState.SUCCEEDED
    assert words in outcome.invalid
    assert outcome.parsed is not None


@pytest.mark.parametrize("content", [b"", b"{", GOOD_FILES["result.json"][:-40]])
def test_exit_0_without_whole_data_is_a_failure(attempt: Attempt, content: bytes) -> None:
    outcome = evaluate(attempt, GOOD_FILES | {"result.json": content})
    assert outcome.state == AttemptState.FAILED
    assert outcome.invalid == outcome.reason != ""


def test_a_document_cut_off_by_a_full_folder_is_the_hosts_fault(attempt: Attempt) -> None:
    """fio ends with 0 although the file system took only the first of its documents."""
    whole = GOOD_FILES["result.json"]
    outcome = evaluate(attempt, GOOD_FILES | {"result.json": whole + whole[:-40]})
    assert (outcome.state, outcome.failure_cause) == (AttemptState.FAILED, FailureCause.HOST)
    assert "the output is incomplete" in outcome.reason
    assert "full" in outcome.reason
    assert outcome.parsed is not None


def test_unrestored_settings_give_a_warning(attempt: Attempt) -> None:
    tuning = {"conflicts": [{"name": "nr_requests"}], "failed": [{"name": "scheduler"}]}
    texts = " ".join(evaluate(store_exit(attempt, tuning=tuning), GOOD_FILES).warnings)
    assert "nr_requests" in texts
    assert "scheduler" in texts


def test_reason_contains_stderr(attempt: Attempt) -> None:
    files = GOOD_FILES | {"stderr": b"fio: pid=7, err=28/file:io_u.c, error=No space left\n"}
    assert "No space left" in evaluate(store_exit(attempt, codes=[1]), files).reason


def test_judge_parser_defect_ends_the_attempt_as_failed(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise StopIteration

    monkeypatch.setattr("apps.execution.services.outcomes.attempt_parse", fail)
    outcome = evaluate(attempt, GOOD_FILES)
    assert outcome.state == AttemptState.FAILED
    assert "StopIteration" in outcome.reason
