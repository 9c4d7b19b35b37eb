"""States only go forward."""

from __future__ import annotations

from itertools import pairwise

import pytest

from apps.runs.models import FINAL_ATTEMPT, FINAL_RUN, AttemptState, RunState
from apps.runs.models.states import BAD_ATTEMPT
from apps.runs.transitions import BackwardStep, attempt_step, run_step

WAY = (
    AttemptState.CLAIMED,
    AttemptState.PREFLIGHT,
    AttemptState.RUNNING,
    AttemptState.COLLECTING,
    AttemptState.PARSING,
    AttemptState.SUCCEEDED,
)


@pytest.mark.parametrize(("before", "after"), list(pairwise(WAY)))
def test_an_attempt_goes_forward(before: AttemptState, after: AttemptState) -> None:
    assert attempt_step(before, after) == after
    with pytest.raises(BackwardStep):
        attempt_step(after, before)


@pytest.mark.parametrize("state", list(AttemptState))
def test_staying_is_allowed(state: AttemptState) -> None:
    assert attempt_step(state, state) == state


@pytest.mark.parametrize("state", FINAL_ATTEMPT)
@pytest.mark.parametrize("wanted", list(AttemptState))
def test_an_ended_attempt_stays_ended(state: AttemptState, wanted: AttemptState) -> None:
    if wanted != state:
        with pytest.raises(BackwardStep):
            attempt_step(state, wanted)


@pytest.mark.parametrize("ending", BAD_ATTEMPT)
@pytest.mark.parametrize("state", WAY[:-1])
def test_an_attempt_may_end_badly_anywhere(state: AttemptState, ending: AttemptState) -> None:
    assert attempt_step(state, ending) == ending


@pytest.mark.parametrize("state", WAY[:-2])
def test_only_what_was_read_succeeds(state: AttemptState) -> None:
    with pytest.raises(BackwardStep):
        attempt_step(state, AttemptState.SUCCEEDED)


@pytest.mark.parametrize("state", FINAL_RUN)
def test_an_ended_run_does_not_run_again_by_itself(state: RunState) -> None:
    with pytest.raises(BackwardStep):
        run_step(state, RunState.RUNNING)


def test_a_queued_run_cannot_succeed() -> None:
    assert run_step(RunState.QUEUED, RunState.RUNNING) == RunState.RUNNING
    with pytest.raises(BackwardStep):
        run_step(RunState.QUEUED, RunState.SUCCEEDED)
