"""The largest queue depth at which an expected latency still holds, on a real disk; workers that
die beside the search's decisions and during a test of it neither lose nor double one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from statistics import median

import pytest

from apps.execution.runtime.crash import RULE_BOUNDARIES
from tests.e2e.conftest import Lab
from tests.e2e.lab import (
    FINAL,
    UNBRIDLED,
    assert_state,
    cases,
    decisions,
    ended,
    launch,
    plan,
    running,
    until,
)
from tests.e2e.stack import JSON, Stack, kill

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
STEP = UNBRIDLED | {"runtime": 1, "iodepth": [1, 16]}


def latencies(stack: Stack, run: JSON) -> dict[int, list[float]]:
    """Mean latencies in ns by depth."""
    depths = {case["id"]: case["params"]["iodepth"] for case in cases(stack, run)}
    found: dict[int, list[float]] = defaultdict(list)
    for row in stack.rows(f"measurements/?run={run['id']}"):
        found[depths[row["case"]]].append(row["latency_mean"])
    return found


def hinder(stack: Stack, run: JSON) -> None:
    """Kill a worker between what the rule answers and what is stored of it, one behind that, and
    one during a test that the search added; a search that ended before is left alone.
    """
    for boundary in RULE_BOUNDARIES:
        with stack.worker(crash_point=boundary) as doomed:
            until(lambda: doomed.poll() is not None or over(stack, run), bool, 120, boundary)
    with stack.worker() as doomed:
        if not over(stack, run):
            assert running(stack, run)["state"] == "running"
            kill(doomed)


def over(stack: Stack, run: JSON) -> bool:
    return stack.get(f"runs/{run['id']}/")["state"] in FINAL


def assert_nothing_twice(stack: Stack, run: JSON) -> None:
    """Every case was done once, and every value decided on once."""
    rows = cases(stack, run)
    assert [row["sequence"] for row in rows] == list(range(run["case_count"]))
    assert {len(row["attempts"]) for row in rows} == {1}
    added = [row for row in decisions(run) if row["cases"]]
    assert {row["cases"] for row in added} <= {3}
    assert [row["last_block"] for row in added] == list(range(4, 4 + len(added)))
    assert len({row["reason"] for row in added}) == len(added)


SAID = [
    r"holds up to iodepth (?P<low>\d+) \(3 repeats each\); at (?P<high>\d+) it is",
    r"holds up to iodepth (?P<low>\d+), the largest that was tried",
    r"does not hold at iodepth (?P<high>\d+), the smallest that was tried",
]


def test_the_largest_depth_is_found_with_repeats(lab: Lab) -> None:
    """Whatever the machine did meanwhile, and though workers die: the sentence is true of what was
    measured, and a limit between two loads that were tried is narrowed down.
    """
    stack = lab.stack
    with stack.worker():
        first = ended(stack, launch(stack, plan(stack, lab.disk, STEP)))
        ends = latencies(stack, first)
        limit = (ends[1][0] * ends[16][0]) ** 0.5
        expected = {"metric": "latency_mean", "direction": "most", "value": limit}
        step = {"tool": "fio", "params": STEP, "expectations": [expected]}
        made = plan(stack, lab.disk, steps=[step], repeats=3, load_search_parameter="iodepth")
    run = launch(stack, made)
    hinder(stack, run)
    with stack.worker():
        run = ended(stack, run, 200)
    assert_state(stack, run, "succeeded")
    assert_nothing_twice(stack, run)
    found = latencies(stack, run)
    assert {len(repeats) for repeats in found.values()} == {3}
    middles = {depth: median(repeats) for depth, repeats in found.items()}
    reason = decisions(run)[-1]["reason"]
    (said,) = filter(None, (re.search(pattern, reason) for pattern in SAID))
    low, high = (
        int(said[name]) if name in said.re.groupindex else None for name in ("low", "high")
    )
    assert low is None or middles[low] <= limit, (reason, middles)
    assert high is None or middles[high] > limit, (reason, middles)
    if low is None or high is None:
        assert sorted(middles) == [1, 16]
    else:
        assert len(middles) > 3
        assert high == low + 1 or high <= low * 1.05
