"""Blocks are added until a comparison is decided, on a real disk; a worker that dies beside a
decision neither loses nor doubles one.
"""

from __future__ import annotations

from collections import Counter

import pytest

from apps.execution.runtime.crash import RULE_BOUNDARIES
from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, assert_state, cases, decisions, ended, launch, plan, tuning
from tests.e2e.stack import JSON

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
MOST = 5
UNTIL = {"repeats": 4, "stopping_rule": {"precision_percent": 50, "max_blocks": MOST}}


def test_blocks_are_added_until_every_interval_is_narrow_enough(lab: Lab) -> None:
    """Each worker but the last dies beside a decision, the second where the first did not come."""
    stack = lab.stack
    tunings = [tuning(stack, name) for name in ("none", "mq-deadline")]
    made = plan(stack, lab.disk, READ | {"runtime": 1}, tunings=tunings, **UNTIL)
    run = launch(stack, made)
    for boundary in RULE_BOUNDARIES:
        with stack.worker(crash_point=boundary) as doomed:
            assert doomed.wait(120) == -9, stack.log("worker")
    with stack.worker():
        run = ended(stack, run, 180)
    assert_state(stack, run, "succeeded")
    _each_block_once(cases(stack, run), run)
    answers = decisions(run)
    blocks = 2 + len(answers) - 1
    # Four blocks of two and two are the fewest that can show anything.
    assert 4 <= blocks <= MOST
    assert [row["last_block"] for row in answers] == [*range(3, blocks + 1), blocks]
    assert [row["cases"] for row in answers] == [4] * (blocks - 2) + [0]
    words = f"decided after {blocks} blocks: every interval is within 50 %"
    assert answers[-1]["reason"] == words or blocks == MOST


def _each_block_once(rows: list[JSON], run: JSON) -> None:
    assert [row["sequence"] for row in rows] == list(range(run["case_count"]))
    assert {len(row["attempts"]) for row in rows} == {1}
    assert set(Counter(row["block"] for row in rows).values()) == {4}


def test_a_run_that_has_ended_goes_on_until_it_is_decided(lab: Lab) -> None:
    stack = lab.stack
    tunings = [tuning(stack, name) for name in ("none", "mq-deadline")]
    made = plan(stack, lab.disk, READ | {"runtime": 1}, tunings=tunings, repeats=4)
    run = launch(stack, made)
    with stack.worker():
        run = ended(stack, run, 120)
        assert decisions(run) == []
        more = {"precision_percent": 50, "max_blocks": 4}
        run = ended(stack, stack.post(f"runs/{run['id']}/add-repeats/", more), 180)
    assert_state(stack, run, "succeeded")
    _each_block_once(cases(stack, run), run)
    assert run["case_count"] > 8
    assert decisions(run)[-1]["cases"] == 0
