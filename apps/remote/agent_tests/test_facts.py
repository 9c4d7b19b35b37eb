"""Facts of a host: complete, and never silent as a whole because of one item."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.remote.agent.disks.hardware_queues import cpu_list
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import Loop


def test_the_host_is_described(client: Client) -> None:
    facts = client.good("facts")["facts"]
    assert facts["errors"] == {}
    assert facts["kernel"] == os.uname().release
    assert facts["architecture"] == platform.machine()
    assert facts["boot_id"] == client.hello["boot_id"]
    assert facts["cpu"]["count"] == os.cpu_count()
    assert facts["cpu"]["sockets"] >= 1
    assert facts["memory"] > 1 << 28
    assert facts["uptime"] > 0
    assert facts["tools"]["dd"]
    assert set(facts["tools"]) == {
        *("fio", "iperf3", "iperf", "iozone", "rados", "rbd", "ceph", "dd", "iostat"),
        *("smartctl", "nvme", "ipmitool"),
    }


def test_versions_of_slow_tools_are_read_in_parallel(base: Path, tmp_path: Path) -> None:
    """Each of the two answers only once the other was started too."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, other in (("iperf", "iozone"), ("iozone", "iperf")):
        script = f"cd {tools}; touch {name}-came\nwhile [ ! -e {other}-came ]; do sleep 0.02; done"
        (tools / name).write_text(f"#!/bin/sh\n{script}\necho 7.1\n")
        (tools / name).chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        found = client.good("facts")["facts"]["tools"]
    assert (found["iperf"], found["iozone"]) == ("7.1", "7.1")


def test_version_of_replaced_binary_is_read_again(base: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    shutil.copy("/bin/dd", tools / "dd")
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:

        def version() -> str:
            return str(client.good("facts")["facts"]["tools"]["dd"])

        true = version()
        known = json.loads((base / "versions.json").read_text())
        known["dd"]["version"] = "0.1"
        (base / "versions.json").write_text(json.dumps(known))
        assert version() == "0.1"
        (tools / "dd").rename(tools / "old")
        shutil.copy("/bin/dd", tools / "dd")
        assert version() == true
        (base / "versions.json").write_text("{")
        assert version() == true


@pytest.mark.needs_root
def test_a_disk_is_described_by_what_lasts(client: Client, make_loop: Callable[..., Loop]) -> None:
    loop = make_loop(content=b"XFSB")
    facts = client.good("facts")["facts"]
    (disk,) = [d for d in facts["disks"] if d["identity"] == loop.identity]
    assert (disk["kind"], disk["node"], disk["size"]) == ("loop", loop.node, 32 << 20)
    assert disk["queue"]["scheduler"] == "none"
    assert "mq-deadline" in disk["queue"]["schedulers"]
    assert disk["queue"]["nr_requests"] == int(loop.setting("nr_requests"))
    assert disk["hardware_queues"][0]["queue"] == 0
    assert disk["zoned"] in ("none", None)  # None before Linux 4.10
    assert disk["hardware_queues"][0]["cpus"]
    assert "xfs" in disk["signatures"]
    assert (disk["mounts"], disk["swap"], disk["system"]) == ([], False, False)


def test_a_tool_that_hangs_or_fails_hides_no_other(base: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in (
        ("iperf3", "exec sleep 60"),
        ("iozone", "exit 1"),
        ("iperf", "echo 2.1.9"),
    ):
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        found = client.good("facts")["facts"]["tools"]
    assert (found["iperf3"], found["iozone"], found["iperf"]) == (None, None, "2.1.9")
    assert found["dd"]


@pytest.mark.parametrize(
    ("text", "cpus"), [("", []), ("0", [0]), ("0-2, 5", [0, 1, 2, 5]), ("0, 2, 4", [0, 2, 4])]
)
def test_cpu_lists_are_read(text: str, cpus: list[int]) -> None:
    assert cpu_list(text) == cpus


def test_versions_of_other_programs_are_read(base: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "mytool").write_text('#!/bin/sh\necho "mytool 4.2 $*"\n')
    (tools / "mytool").chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        wanted = ["mytool", "not-there", "../mytool", "-x", "dd"]
        found = client.good("facts", programs=wanted)["facts"]["tools"]
    assert (found["mytool"], found["not-there"]) == ("4.2", None)
    assert {"../mytool", "-x"}.isdisjoint(found)
    assert found["dd"]
