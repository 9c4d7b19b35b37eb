"""Commands beside the block layer: the kernel's counters are not compared with the tool's."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.execution.services.outcomes import evaluate
from apps.execution.tests.test_outcome import GOOD_EXIT, GOOD_FILES, SIDE
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run

MIB = 1 << 20
TOOL_BYTES = 1024 * MIB
SMART = {"name": "nvme0n1", "written": 0, "resolution": 512}
HELD = {
    "smart_before": {"nvme.1": SMART},
    "smart": {"nvme.1": SMART | {"written": 4 * TOOL_BYTES}},
}


def device_log(moved: int) -> bytes:
    """Counters of the device before and after: it read and wrote `moved` bytes."""
    before = [0] * 11
    after = [0, 0, moved // 512, 0, 0, 0, moved // 512, 0, 0, 0, 0]
    rows = [
        {"t": float(10 * n), "name": "nvme0n1", "stat": s} for n, s in enumerate((before, after))
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def files() -> dict[str, bytes]:
    document = json.loads(GOOD_FILES["result.json"])
    document["jobs"][0]["read"] = SIDE | {"io_bytes": TOOL_BYTES}
    log = device_log(MIB)
    return GOOD_FILES | {"result.json": json.dumps(document).encode(), "device.log": log}


@pytest.fixture
def attempt(owner: User) -> Attempt:
    case = create_run(owner=owner).cases.get()
    return create_attempt(case, state="running", exit=GOOD_EXIT | HELD, spec={"target": None})


def set_engine(attempt: Attempt, engine: str) -> None:
    workload = attempt.case.workload
    workload.params = {**workload.params, "ioengine": engine}
    workload.save(update_fields=["params"])


@pytest.mark.django_db
@pytest.mark.parametrize(("engine", "checks"), [("libaio", 2), ("io_uring_cmd", 0)])
def test_both_checks_with_counters_are_off(attempt: Attempt, engine: str, checks: int) -> None:
    set_engine(attempt, engine)
    assert len(evaluate(attempt, files()).warnings) == checks


@pytest.mark.django_db
@pytest.mark.parametrize(("engine", "stated"), [("libaio", False), ("io_uring_cmd", True)])
def test_page_states_that_the_check_is_off(
    attempt: Attempt, viewer_client: Client, engine: str, stated: bool
) -> None:
    set_engine(attempt, engine)
    create_results(attempt)
    page = viewer_client.get(reverse("case_detail", args=[attempt.case_id]))
    assert page.context["is_unchecked"] is stated
    assert (b"data-unchecked" in page.content) is stated
