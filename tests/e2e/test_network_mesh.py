"""Every ordered pair of three hosts, with both programs: one slow cable is found."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, permutations
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, cases, checked, ended, launch
from tests.e2e.stack import JSON, Stack
from tests.harness.fixtures import no_box
from tests.harness.net import run as command
from tests.harness.net import switch
from tests.harness.netns_host import NetnsHost

NAMES = ("alpha", "beta", "gamma")
LACKING = [program for program in ("iperf", "iperf3", "tc") if shutil.which(program) is None]
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.skipif(bool(LACKING), reason=f"not installed here: {', '.join(LACKING)}"),
]
MBIT = 1.25e5
RATE = 100
"""What each stream sends at most, in Mbit/s: as fast as it goes, it takes every processor."""
_number = count(1)
# Lines of the page's selector, printed: the worst pair, the best, and what is lacking.
LOOK = """
from apps.runs.models import Run
from apps.analysis.network.mesh import mesh_of, run_mesh_links
links = run_mesh_links(Run.objects.get(pk={run}))
for label in dict.fromkeys(link.workload for link in links):
    mesh = mesh_of([link for link in links if link.workload == label], "bandwidth")
    ranked = mesh.extremes(True)
    print(len(mesh.hosts), len(ranked), len(mesh.missing), ranked[0][0], sep=",")
"""


class Three(NamedTuple):
    """A running benchlab without a worker, and three hosts on one switch."""

    stack: Stack
    boxes: list[NetnsHost]
    hosts: list[int]


@pytest.fixture(scope="module")
def three(stack: Stack, folder: Path) -> Iterator[Three]:
    """What gamma sends is held to 20 Mbit/s."""
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        boxes, hosts = [], []
        with stack.worker():
            for name in NAMES:
                box = NetnsHost(folder / name)
                ending.callback(box.stop)
                box.start()
                boxes.append(box)
                hosts.append(add_box(stack, box, name)["id"])
            addresses = switch(*(box.network for box in boxes))
            for host, address in zip(hosts, addresses, strict=True):
                stack.api("PATCH", f"hosts/{host}/", {"network_test_address": address})
                checked(stack, host)
        slow = boxes[2].network
        shape = ("tbf", "rate", "20mbit", "burst", "128kb", "latency", "50ms")
        command("tc", "-n", slow.namespace, "qdisc", "add", "dev", f"bls{slow.number}", "root",
                *shape)  # fmt: skip
        yield Three(stack, boxes, hosts)


def tried(three: Three, pairs: list[tuple[int, int]], *steps: JSON) -> JSON:
    """An ended run of iperf steps on pairs of hosts (client, server)."""
    body = {
        "name": f"network {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "iperf", "params": {"seconds": 1} | params} for params in steps],
        "targets": [f"pair:{client}-{server}" for client, server in pairs],
    }
    with three.stack.worker():
        run = launch(three.stack, three.stack.post("plans/", body))
        return ended(three.stack, run, 240)


def measured(three: Three, pairs: list[tuple[int, int]], *steps: JSON) -> JSON:
    """The same, all of it measured."""
    run = tried(three, pairs, *steps)
    assert run["state"] == "succeeded", [case["reason"] for case in cases(three.stack, run)]
    return run


def rows_of(three: Three, case: JSON) -> dict[tuple[str, str], JSON]:
    """A case's valid measurements by operation and part."""
    rows = three.stack.rows(f"measurements/?case={case['id']}&components=true")
    assert all(row["valid"] for row in rows), rows
    return {(row["operation"], row["component"]): row for row in rows}


@pytest.mark.timeout(400)
def test_every_pair_is_measured_and_the_slow_host_is_found(three: Three) -> None:
    run = measured(three, list(permutations(three.hosts, 2)), {"program": "iperf3", "rate": RATE})
    found = cases(three.stack, run)
    assert len(found) == 6
    for case in found:
        received = rows_of(three, case)["receive", ""]["bandwidth"]
        assert (received < 30 * MBIT) is (case["host"] == three.hosts[2]), case["target_name"]
    lines = three.stack.manage("shell", "-c", LOOK.format(run=run["id"])).strip().splitlines()
    assert lines[-1] == "3,6,0,gamma"


@pytest.mark.timeout(400)
def test_the_other_program_udp_and_both_directions(three: Three) -> None:
    udp = {"protocol": "udp", "rate": 150}
    both = {"direction": "bidirectional", "streams": 2, "rate": RATE}
    run = measured(
        three, [(three.hosts[0], three.hosts[1])], {"program": "iperf2", "rate": RATE}, udp, both
    )
    for case in cases(three.stack, run):
        rows = rows_of(three, case)
        received = rows["receive", ""]
        if case["params"]["protocol"] == "udp":
            assert received["values"]["loss"] >= 0
            assert received["values"]["jitter"] >= 0
        elif case["params"]["direction"] == "bidirectional":
            assert {part for _operation, part in rows} == {"", "forward", "reverse"}
        else:
            assert case["attempts"][0]["tool_version"].startswith("2.")
            assert rows["send", ""]["values"]["round_trip"] > 0


@pytest.mark.timeout(400)
def test_a_firewall_before_iperf2_is_a_sentence_long_before_the_test_would_end(
    three: Three,
) -> None:
    """iperf 2 itself would wait for minutes."""
    rule = ("INPUT", "-p", "tcp", "--dport", "5001", "-j", "DROP")
    three.boxes[1].network.inside("iptables", "-A", *rule)
    try:
        pair = (three.hosts[0], three.hosts[1])
        run = tried(three, [pair], {"program": "iperf2", "seconds": 3600})
    finally:
        three.boxes[1].network.inside("iptables", "-D", *rule)
    (case,) = cases(three.stack, run)
    assert run["state"] == "failed"
    assert "A firewall between them drops the packets" in case["reason"]
    assert not [line for box in three.boxes for line in box.processes() if "iperf" in line]
