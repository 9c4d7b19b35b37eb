"""Conditions of the host during a test: kernel log, throttling, other disks, I/O limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent.jobs import host_conditions, kernel_log
from apps.remote.agent.jobs.host_conditions import (
    ConditionsReader,
    control_groups,
    limits_of_v1,
    limits_of_v2,
    other_disks,
    parents,
    steal_percent,
)
from apps.remote.agent.jobs.kernel_log import KernelLog, kernel_errors, message_of
from apps.remote.decode import check_type
from apps.remote.host_conditions import HostConditions

SAMPLES = Path(__file__).parent / "samples"


def test_errors_of_a_recorded_kernel_log() -> None:
    records = (SAMPLES / "kmsg-errors").read_text().split("\n\n")
    errors = kernel_errors(records)
    assert errors["count"] == 9
    assert errors["lines"][0].startswith("blk_update_request: I/O error, dev sdb")
    assert not any("eth0: renamed" in line or "systemd" in line for line in errors["lines"])


def test_a_flood_of_errors_is_counted_and_cut() -> None:
    errors = kernel_errors([f"3,{n},5,-;I/O error {'x' * 900}\n DEVICE=b8:0" for n in range(500)])
    assert (errors["count"], len(errors["lines"])) == (500, 10)
    assert {len(line) for line in errors["lines"]} == {200}


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ("6,1,2,-;text\n SUBSYSTEM=scsi", "text"),
        ("12,1,2,-;I/O error of a program", ""),
        ("x,1,2,-;text", ""),
        ("", ""),
        ("4", ""),
    ],
)
def test_message_of_a_record(record: str, text: str) -> None:
    assert message_of(record) == text


def test_a_log_is_read_from_its_end(tmp_path: Path) -> None:
    path = tmp_path / "kmsg"
    path.write_text("3,1,1,-;I/O error before\n")
    log = KernelLog(str(path))
    log.begin()
    with path.open("a") as file:
        file.write("3,2,2,-;I/O error during the test\n")
    assert log.end() == {"count": 1, "lines": ["I/O error during the test"]}
    assert log.end() is None


def test_a_log_that_cannot_be_read_is_unknown(tmp_path: Path) -> None:
    log = KernelLog(str(tmp_path / "absent"))
    log.begin()
    assert log.end() is None


def test_limits_of_both_versions() -> None:
    assert limits_of_v1("read_bps", "999:0 1048576\nTotal\n") == ["read_bps 999:0 1048576"]
    text = "999:1 rbps=1048576 wbps=max riops=max wiops=120\n"
    assert limits_of_v2(text) == ["read_bps 999:1 1048576", "write_iops 999:1 120"]


def test_parents_up_to_the_mount() -> None:
    assert parents("/sys/fs/cgroup", "/sys/fs/cgroup/a/b") == [
        "/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup",
    ]  # fmt: skip
    assert parents("/sys/fs/cgroup", "/sys/fs/cgroup/") == ["/sys/fs/cgroup"]


def test_groups_of_both_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "/proc/self/cgroup": "7:cpu:/\n5:blkio,other:/system.slice/ssh.service\n0::/user\n",
        "/proc/self/mountinfo": (
            "38 31 0:35 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
            "39 31 0:36 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
            "41 31 0:38 /user /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
        ),
    }
    monkeypatch.setattr(host_conditions, "read_text", files.get)
    assert control_groups() == [
        ("cgroup", "/sys/fs/cgroup/blkio", "/sys/fs/cgroup/blkio/system.slice/ssh.service"),
        ("cgroup2", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/"),
    ]


def test_other_disks_without_the_tested_ones() -> None:
    before = {"sda": [0, 0], "sdb": [10, 10], "loop0": [0, 0]}
    after = {"sda": [5, 0], "sdb": [10, 10], "loop0": [9, 9], "sdc": [1, 6]}
    assert other_disks(before, after, {"loop0"}) == {"sdc": (1, 6), "sda": (5, 0)}


def test_steal() -> None:
    assert steal_percent([0] * 8, [60, 0, 0, 20, 0, 0, 0, 20]) == 20.0
    assert steal_percent([], []) is None
    assert steal_percent([1] * 8, [1] * 8) is None


def test_waits_for_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "/proc/loadavg": "0.50 0.40 0.30 9/1024 4711",
        "/proc/pressure/cpu": "some avg10=1.00 avg60=1.00 avg300=1.00 total=2500000\nfull total=1",
    }
    monkeypatch.setattr(host_conditions, "read_text", files.get)
    assert (host_conditions.runnable(), host_conditions.cpu_wait()) == (8, 2500000)
    assert host_conditions.wait_percent(500000, 2500000, 4.0) == 50.0
    files.clear()
    assert (host_conditions.runnable(), host_conditions.cpu_wait()) == (None, None)
    assert host_conditions.wait_percent(None, 1, 1.0) is None


def test_throttles_of_cores_and_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        folder = tmp_path / f"cpu{number}" / "thermal_throttle"
        folder.mkdir(parents=True)
        (folder / "core_throttle_count").write_text("3\n")
        (folder / "package_throttle_count").write_text("7\n")
        (folder.parent / "topology").mkdir()
        (folder.parent / "topology" / "physical_package_id").write_text("0\n")
    monkeypatch.setattr(host_conditions, "THROTTLE", f"{tmp_path}/cpu*/thermal_throttle")
    assert host_conditions.throttle_count() == 13
    monkeypatch.setattr(host_conditions, "THROTTLE", f"{tmp_path}/none*")
    assert host_conditions.throttle_count() is None


def test_the_conditions_of_this_host_have_the_type_of_responses() -> None:
    reader = ConditionsReader(KernelLog(kernel_log.PATH))
    reader.begin([])
    conditions = reader.end()
    check_type(conditions, HostConditions, "conditions")
    assert set(conditions) == set(HostConditions.__annotations__)
