"""A failure names what the cluster said meanwhile; a result says what appeared meanwhile."""

from __future__ import annotations

import json

import pytest

from apps.accounts.models import User
from apps.execution.services.outcomes import evaluate
from apps.execution.tests.test_outcome import GOOD_EXIT, GOOD_FILES, store_exit
from apps.runs.models import Attempt, AttemptState, FailureCause
from apps.runs.tests.factories import create_attempt, create_run

MOMENTS = {"started": {"monotonic": 100.0}, "ended": {"monotonic": 130.0}}
FULL = {
    "monotonic": 120.0,
    "status": "HEALTH_ERR",
    "checks": {"OSD_FULL": "3 full osd(s)"},
    "error": "",
}
SLOW = FULL | {"status": "HEALTH_WARN", "checks": {"SLOW_OPS": "4 slow ops, oldest 33 sec"}}


@pytest.fixture
def attempt(owner: User) -> Attempt:
    case = create_run(owner=owner).cases.get()
    spec = {"target": None, "ceph": True}
    return create_attempt(case, state="running", exit=GOOD_EXIT | MOMENTS, spec=spec)


def files(*entries: dict[str, object]) -> dict[str, bytes]:
    log = b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)
    return GOOD_FILES | {"ceph-health.log": log}


def test_a_tool_that_hung_on_a_full_cluster_is_not_to_blame(attempt: Attempt) -> None:
    outcome = evaluate(store_exit(attempt, **MOMENTS, timed_out=True), files(FULL))
    assert (outcome.state, outcome.failure_cause) == (AttemptState.FAILED, FailureCause.HOST)
    assert outcome.reason == (
        "ended by benchlab: it ran far longer than it should; "
        "Ceph reported meanwhile: HEALTH_ERR: 3 full osd(s)"
    )


def test_a_test_that_was_ended_on_a_full_pool_says_so(attempt: Attempt) -> None:
    store_exit(attempt, **MOMENTS, pool_full=True, codes=[None], signals=["SIGTERM"])
    full = FULL | {"checks": {"POOL_FULL": "1 pool(s) full"}}
    outcome = evaluate(attempt, files(full))
    assert (outcome.state, outcome.failure_cause) == (AttemptState.FAILED, FailureCause.HOST)
    assert outcome.reason == (
        "ended by benchlab: its pool is full, so that writing to it waits for ever; "
        "Ceph reported meanwhile: HEALTH_ERR: 1 pool(s) full"
    )


def test_a_cancelled_test_says_what_it_hung_on(attempt: Attempt) -> None:
    outcome = evaluate(store_exit(attempt, **MOMENTS, cancelled=True), files(FULL))
    assert (outcome.state, outcome.failure_cause) == (AttemptState.CANCELLED, "")
    assert outcome.reason.endswith("Ceph reported meanwhile: HEALTH_ERR: 3 full osd(s)")


def test_a_warning_of_another_kind_leaves_the_tool_to_blame(attempt: Attempt) -> None:
    other = FULL | {"status": "HEALTH_WARN", "checks": {"POOL_APP_NOT_ENABLED": "1 pool(s) ..."}}
    outcome = evaluate(store_exit(attempt, **MOMENTS, codes=[1]), files(other))
    assert outcome.failure_cause == FailureCause.TOOL
    assert "HEALTH_WARN: 1 pool(s) ..." in outcome.reason


def test_slow_operations_during_the_measurement_give_a_warning(attempt: Attempt) -> None:
    outcome = evaluate(attempt, files(SLOW))
    assert outcome.state == AttemptState.SUCCEEDED
    words = "Ceph reported during the test: HEALTH_WARN: 4 slow ops, oldest 33 sec"
    assert words in outcome.warnings


def test_what_was_so_before_is_no_news(attempt: Attempt) -> None:
    before = SLOW | {"monotonic": 99.0}
    assert evaluate(attempt, files(before, SLOW)).warnings == evaluate(attempt, GOOD_FILES).warnings
