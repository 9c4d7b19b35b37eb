"""The largest queue depth at which an expected latency still holds, on a real disk."""

from __future__ import annotations

import re
from collections import defaultdict
from statistics import median

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import UNBRIDLED, assert_state, cases, ended, launch, plan
from tests.e2e.stack import JSON, Stack

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
STEP = UNBRIDLED | {"runtime": 1, "iodepth": [1, 16]}


def latencies(stack: Stack, run: JSON) -> dict[int, list[float]]:
    """Mean latencies in ns by depth."""
    depths = {case["id"]: case["params"]["iodepth"] for case in cases(stack, run)}
    found: dict[int, list[float]] = defaultdict(list)
    for row in stack.rows(f"measurements/?run={run['id']}"):
        found[depths[row["case"]]].append(row["latency_mean"])
    return found


def test_the_largest_depth_is_found_with_repeats(lab: Lab) -> None:
    stack = lab.stack
    with stack.worker():
        first = ended(stack, launch(stack, plan(stack, lab.disk, STEP)))
        ends = latencies(stack, first)
        limit = (ends[1][0] * ends[16][0]) ** 0.5
        expected = {"metric": "latency_mean", "direction": "most", "value": limit}
        step = {"tool": "fio", "params": STEP, "expectations": [expected]}
        made = plan(stack, lab.disk, steps=[step], repeats=3, saturates="iodepth")
        run = ended(stack, launch(stack, made), 200)
    assert_state(stack, run, "succeeded")
    middles = {depth: median(found) for depth, found in latencies(stack, run).items()}
    assert {len(found) for found in latencies(stack, run).values()} == {3}
    said = re.search(
        r"holds up to iodepth (\d+) \(3 repeats each\); at (\d+) it is",
        run["decisions"][-1]["reason"],
    )
    assert said, run["decisions"]
    largest, missed = int(said[1]), int(said[2])
    assert len(middles) > 3
    assert middles[largest] <= limit < middles[missed]
    assert missed == largest + 1 or missed <= largest * 1.05
