"""Kernel settings are lent as those of disks are: written down, read back, given back."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.remote.agent.tuning.sysctl_names import is_allowed
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.processes import kill, running, supervisor

# All processes share the kernel's settings.
pytestmark = pytest.mark.xdist_group("kernel settings")
SWAP, EXPIRE = "vm.swappiness", "vm.dirty_expire_centisecs"
BYTES, RATIO = "vm.dirty_background_bytes", "vm.dirty_background_ratio"
RMEM = "net.ipv4.tcp_rmem"


def path(name: str) -> Path:
    """The file of a setting."""
    return Path("/proc/sys") / name.replace(".", "/")


def value(name: str) -> str:
    """A setting as the kernel shows it, one blank between numbers."""
    return " ".join(path(name).read_text().split())


def want(name: str, new: str | int) -> Message:
    """A tuning entry of a spec."""
    return {"kind": "sysctl", "identity": "", "name": name, "value": new}


@pytest.fixture(autouse=True)
def _as_before(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test leaves, the machine is as it was. Tests that change nothing put nothing back:
    they run beside those that do (bin/test).
    """
    if not request.node.get_closest_marker("needs_root"):
        yield
        return
    if not os.access(path(SWAP), os.W_OK):
        pytest.skip("/proc/sys is read-only here")
    before = {name: value(name) for name in (SWAP, EXPIRE, RATIO, RMEM)}
    yield
    for name, old in before.items():
        if value(name) != old:
            path(name).write_text(old)


@pytest.mark.needs_root
def test_a_setting_holds_during_the_run_and_is_given_back(client: Client) -> None:
    before = value(EXPIRE)
    done = client.run(["cat", str(path(EXPIRE))], tuning=[want(EXPIRE, int(before) + 1)])
    assert client.read(done["attempt"], "stdout").decode().strip() == str(int(before) + 1)
    tuning = done["exit"]["tuning"]
    short = {"kind": "sysctl", "identity": "", "name": EXPIRE}
    assert tuning["applied"] == [{**short, "value": str(int(before) + 1)}]
    assert tuning["restored"] == [{**short, "value": before}]
    assert (tuning["changed"], tuning["conflicts"], tuning["failed"]) == ([], [], [])
    assert done["journal"]["state"] == "closed"
    assert value(EXPIRE) == before


@pytest.mark.needs_root
def test_several_numbers_are_the_same_however_they_are_separated(client: Client) -> None:
    before = value(RMEM)
    low, middle, high = map(int, before.split())
    asked = f"{low}  {middle} {high + 4096}"
    done = client.run(["cat", str(path(RMEM))], tuning=[want(RMEM, asked)])
    assert done["exit"]["codes"] == [0], done
    assert client.read(done["attempt"], "stdout").split()[2] == str(high + 4096).encode()
    assert value(RMEM) == before


@pytest.mark.needs_root
def test_of_a_pair_that_exclude_each_other_the_old_one_comes_back(client: Client) -> None:
    """Bytes make the ratio 0, and 0 bytes cannot be written."""
    before = value(RATIO)
    assert (value(BYTES), before != "0") == ("0", True)
    done = client.run(["cat", str(path(RATIO))], tuning=[want(BYTES, 256 << 20)])
    assert client.read(done["attempt"], "stdout") == b"0\n"
    tuning = done["exit"]["tuning"]
    assert (tuning["changed"], tuning["conflicts"], tuning["failed"]) == ([], [], [])
    assert (value(BYTES), value(RATIO)) == ("0", before)


@pytest.mark.needs_root
def test_recover_gives_back_after_the_supervisor_was_killed(client: Client, gate: Gate) -> None:
    before = value(EXPIRE)
    tuning = [want(EXPIRE, int(before) + 2)]
    attempt = client.start(gate.argv, tuning=tuning, lease=600)
    running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    assert client.good("restore_settings", attempts=[attempt])["busy"] == [attempt]
    gate.open()
    client.good("wait", attempt=attempt)
    assert value(EXPIRE) == str(int(before) + 2)
    (restored,) = client.good("restore_settings", attempts=[attempt])["restored"]
    assert (restored["kind"], restored["name"], restored["value"]) == ("sysctl", EXPIRE, before)
    assert value(EXPIRE) == before


@pytest.mark.needs_root
def test_the_keeper_alone_gives_back(client: Client) -> None:
    before = value(EXPIRE)
    attempt = client.start(["sleep", "60"], tuning=[want(EXPIRE, int(before) + 3)], lease=1.0)
    (pid,) = running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    kill(pid)
    client.close()
    until(lambda: value(EXPIRE) == before)


@pytest.mark.needs_root
def test_value_set_by_another_process_is_a_conflict(client: Client, gate: Gate) -> None:
    before = int(value(EXPIRE))
    attempt = client.start(gate.argv, tuning=[want(EXPIRE, before + 1)])
    running(client, attempt)
    path(EXPIRE).write_text(str(before + 7))
    gate.open()
    tuning = client.good("wait", attempt=attempt)["exit"]["tuning"]
    (changed,), (conflict,) = tuning["changed"], tuning["conflicts"]
    assert (changed["expected"], changed["actual"]) == (str(before + 1), str(before + 7))
    assert (conflict["original"], conflict["actual"]) == (str(before), str(before + 7))
    assert value(EXPIRE) == str(before + 7)


@pytest.mark.needs_root
def test_setting_of_a_running_job_is_refused_to_another(client: Client, gate: Gate) -> None:
    now = int(value(EXPIRE))
    attempt = client.start(gate.argv, tuning=[want(EXPIRE, now + 1)])
    running(client, attempt)
    second = client.run(["true"], tuning=[want(EXPIRE, now + 2)])
    assert f"{EXPIRE} is in use by attempt {attempt}" in second["refused"]["reasons"][0]
    other = client.run(["true"], tuning=[want(SWAP, value(SWAP))])
    assert other["exit"]["codes"] == [0]
    gate.open()
    client.good("wait", attempt=attempt)


@pytest.mark.needs_root
def test_a_restart_of_the_host_has_reset_them(client: Client, gate: Gate) -> None:
    attempt = client.start(gate.argv, tuning=[want(EXPIRE, int(value(EXPIRE)) + 1)], lease=600)
    running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    gate.open()
    client.good("wait", attempt=attempt)
    journal = client.base / "jobs" / attempt / "tuning-journal.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "boot_id": "earlier"}))
    assert client.good("restore_settings", attempts=[attempt])["restored"] == []
    assert client.good("status", attempt=attempt)["journal"]["closed_because"] == "reset by reboot"


WRONG = [
    ("kernel.core_pattern", "|/bin/sh"),
    ("kernel.modprobe", "/tmp/x"),
    ("net.ipv4.ip_forward", 1),
    ("net.ipv4.tcp_fastopen_key", "0-0-0-0"),
    ("vm.swappiness/../../kernel/sysrq", 1),
    ("vm.dirty_ratio\n", 1),
    (SWAP, "1\n2\x00"),
    (SWAP, ""),
    ("kernel.pid_max", 301),
    ("kernel.threads-max", "few"),
]


@pytest.mark.parametrize(("name", "new"), WRONG)
def test_disallowed_settings_are_refused_before_any_command(
    client: Client, name: str, new: str | int
) -> None:
    done = client.run(["echo", "ran"], tuning=[want(name, new)])
    assert done["refused"]["reasons"][0].startswith("Tuning: ")
    assert client.read(done["attempt"], "stdout") == b""


@pytest.mark.needs_root
@pytest.mark.parametrize(
    ("name", "new", "said"),
    [
        (SWAP, 100000, "Invalid argument"),
        (EXPIRE, "often", "Invalid argument"),
        ("net.ipv4.tcp_no_such_thing", 1, "has no setting"),
        ("net.ipv4.tcp_available_congestion_control", "cubic", "Permission denied"),
    ],
)
def test_what_the_kernel_does_not_take_is_refused_and_put_back(
    client: Client, name: str, new: str | int, said: str
) -> None:
    before = value(EXPIRE)
    tuning = [want(name, new)]
    if name != EXPIRE:
        tuning.append(want(EXPIRE, int(before) + 1))
    done = client.run(["echo", "ran"], tuning=tuning)
    assert any(said in reason for reason in done["refused"]["reasons"]), done
    assert value(EXPIRE) == before


def test_everything_a_lab_tunes_is_allowed() -> None:
    names = ["net.core.rmem_max", "net.core.netdev_max_backlog", "net.core.somaxconn"]
    names += ["net.core.busy_poll", "net.ipv4.tcp_wmem", "net.ipv4.tcp_congestion_control"]
    names += ["fs.aio-max-nr", "fs.file-max", "kernel.pid_max", "kernel.sched_latency_ns"]
    names += ["kernel.numa_balancing", "vm.vfs_cache_pressure", "vm.min_free_kbytes"]
    assert [name for name in names if not is_allowed(name)] == []
