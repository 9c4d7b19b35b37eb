"""A network test between two hosts: the server listens before the client talks, and is ended after
it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, assert_state, cases, checked, ended, launch
from tests.e2e.several import artifact, in_phase
from tests.e2e.stack import JSON, Stack
from tests.harness.fixtures import no_box
from tests.harness.net import join
from tests.harness.netns_host import NetnsHost

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.skipif(shutil.which("iperf3") is None, reason="iperf3 is not installed here"),
]
PORT = 5201
PARAMS = {"program": "iperf3", "seconds": 2}
_number = count(1)


class Pair(NamedTuple):
    """A running benchlab without a worker, and two hosts with a cable between them."""

    stack: Stack
    boxes: list[NetnsHost]
    target: str


@pytest.fixture(scope="module")
def pair(stack: Stack, folder: Path) -> Iterator[Pair]:
    """The server's monotonic clock is three hours ahead of the client's."""
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        boxes, ids = [], []
        with stack.worker():
            for name, clock in (("asks", 0), ("answers", 10_000)):
                box = NetnsHost(folder / name, clock=clock)
                ending.callback(box.stop)
                box.start()
                boxes.append(box)
                ids.append(add_box(stack, box, name)["id"])
            address = join(boxes[0].network, boxes[1].network)[1]
            stack.api("PATCH", f"hosts/{ids[1]}/", {"network_test_address": address})
            checked(stack, ids[1])
        yield Pair(stack, boxes, f"pair:{ids[0]}-{ids[1]}")


def run_of(pair: Pair, **params: object) -> JSON:
    body = {
        "name": f"pair {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "iperf", "params": PARAMS | params}],
        "targets": [pair.target],
    }
    return launch(pair.stack, pair.stack.post("plans/", body))


def the_case(pair: Pair, run: JSON) -> JSON:
    return cases(pair.stack, run)[0]


def test_both_ends_are_stored_and_read_as_one_test(pair: Pair) -> None:
    stack = pair.stack
    with stack.worker():
        run = ended(stack, run_of(pair))
    case = the_case(pair, run)
    assert_state(stack, run, "succeeded")
    attempt = case["attempts"][0]
    assert attempt["valid"], attempt
    assert {(job["name"], job["role"]) for job in attempt["exit"]["jobs"]} == {
        ("asks", "client"),
        ("answers", "server"),
    }
    client = json.loads(artifact(stack, case, "asks/stdout"))
    server = json.loads(artifact(stack, case, "answers/stdout"))
    assert client["end"]["sum_sent"]["bytes"] >= server["end"]["sum_received"]["bytes"] > 0
    rows = stack.rows(f"measurements/?case={case['id']}&components=true")
    assert {row["component"] for row in rows} == {""}
    assert all(row["bandwidth"] for row in rows)
    assert not _iperf(pair)


@contextmanager
def taken_port(box: NetnsHost) -> Iterator[None]:
    """Somebody else's server on the port."""
    words = ["python3", "-m", "http.server", str(PORT)]
    enter = ["nsenter", f"--target={box.init}", "--net", *words]
    with subprocess.Popen(enter, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as other:
        try:
            box.inside(
                "sh", "-c", f"for i in $(seq 100); do ss -Hltn | grep -q :{PORT} && exit; "
                "sleep 0.1; done; exit 1",
            )  # fmt: skip
            yield
        finally:
            other.kill()


def test_a_taken_port_is_a_sentence_that_names_the_host(pair: Pair) -> None:
    stack = pair.stack
    with taken_port(pair.boxes[1]), stack.worker():
        run = ended(stack, run_of(pair))
    case = the_case(pair, run)
    assert run["state"] == "failed"
    assert case["failure_cause"] == "host"
    assert "answers: " in case["reason"]
    assert str(PORT) in case["reason"], case["reason"]
    assert not _iperf(pair)


def test_a_firewall_is_a_sentence_and_no_hang(pair: Pair) -> None:
    stack, rule = pair.stack, ["INPUT", "-p", "tcp", "--dport", str(PORT), "-j", "DROP"]
    pair.boxes[1].network.inside("iptables", "-A", *rule)
    try:
        with stack.worker():
            run = ended(stack, run_of(pair))
    finally:
        pair.boxes[1].network.inside("iptables", "-D", *rule)
    assert run["state"] == "failed"
    assert "firewall" in the_case(pair, run)["reason"]
    assert not _iperf(pair)


def test_cancel_ends_both_ends(pair: Pair) -> None:
    stack = pair.stack
    with stack.worker():
        run = run_of(pair, seconds=120)
        in_phase(stack, run, "running")
        stack.post(f"runs/{run['id']}/cancel/")
        run = ended(stack, run, 30)
    assert run["state"] == "cancelled"
    assert not _iperf(pair)


def test_a_killed_worker_costs_no_result(pair: Pair) -> None:
    """Between server and client: the server listens, nobody has called it yet."""
    stack = pair.stack
    run = run_of(pair)
    with stack.worker(crash_point="listening") as doomed:
        assert doomed.wait(60) == -9, stack.log("worker")
    with stack.worker():
        run = ended(stack, run)
    case = the_case(pair, run)
    assert_state(stack, run, "succeeded")
    assert len(case["attempts"]) == 1
    assert not _iperf(pair)


def _iperf(pair: Pair) -> list[str]:
    return [line for box in pair.boxes for line in box.processes() if line.startswith("iperf")]


@pytest.mark.extended
def test_pair_with_a_second_stream_as_load(pair: Pair) -> None:
    """The load's server listens first; load and test are aligned by the clocks of both hosts."""
    params = PARAMS | {"rate": 10}
    load = {"tool": "iperf", "params": params | {"port": PORT + 1}, "role": "background"}
    body = {
        "name": f"beside {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "iperf", "params": params}, load | {"settle_seconds": 1.0}],
        "targets": [pair.target],
    }
    with pair.stack.worker():
        run = ended(pair.stack, launch(pair.stack, pair.stack.post("plans/", body)), 150)
    assert_state(pair.stack, run, "succeeded")
    (beside,) = [one for one in cases(pair.stack, run) if "background" in one["params"]]
    report = beside["attempts"][0]["background"]
    assert 1.0 <= report["ahead_seconds"] < 60.0
    rows = pair.stack.rows(f"measurements/?case={beside['id']}")
    assert {row["operation"] for row in rows} == {"send", "receive"}
    assert not [pid for box in pair.boxes for pid in box.pids_of("iperf3")]
