"""NVMe generic devices: only beside the claim of the same namespace, and never beside its users.

The development machine has no NVMe, so sysfs and nodes are made of files and harmless devices.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks import passthrough
from apps.remote.agent.disks.blocks import Block
from apps.remote.agent.disks.passthrough import generic_node, generic_users
from apps.remote.agent.errors import RefusalError, RequestError
from apps.remote.agent.jobs.spec import validate_spec
from apps.remote.agent.limits.document import Limits
from apps.remote.agent.limits.rules import counting_reasons
from apps.remote.agent.targets.placeholders import fill_placeholders, passes_through
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import Loop

ATTEMPT = "00000000-0000-4000-8000-000000000001"
DISK = {"kind": "disk", "identity": "wwn:x", "write": True, "size": None}
FIO = ["fio", "--filename={ng0}", "--ioengine=io_uring_cmd", "--rw=randwrite"]


class Machine:
    """sysfs of one NVMe controller with a namespace, and its nodes."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        for name in ("class", "dev", "nvme0", "nvme1"):
            (root / name).mkdir()
        monkeypatch.setattr(passthrough, "CLASS", str(root / "class"))
        monkeypatch.setattr(passthrough, "DEV", str(root / "dev"))
        monkeypatch.setattr(passthrough, "namespace_id", lambda fd: self.ids.get(fd, 1))
        self.ids: dict[int, int] = {}
        self.add("ng0n1", "nvme0")

    def add(self, name: str, parent: str, number: str = "1:3") -> None:
        folder = self.root / "class" / name
        folder.mkdir()
        (folder / "device").symlink_to(self.root / parent)
        (folder / "dev").write_text(number)
        os.mknod(self.root / "dev" / name, 0o600 | 0o020000, os.makedev(1, 3))

    def block(self, name: str = "nvme0n1", parent: str = "nvme0") -> Block:
        block = Block(name)
        block.folder = str(self.root / ("block-" + name))
        os.mkdir(block.folder)
        os.symlink(self.root / parent, block.folder + "/device")
        return block


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


needs_root = pytest.mark.needs_root


@needs_root
def test_the_generic_device_of_the_claimed_namespace(machine: Machine) -> None:
    assert generic_node(machine.block(), -1) == str(machine.root / "dev" / "ng0n1")


@needs_root
@pytest.mark.parametrize("name", ["nvme0n1p1", "nvme0c0n1", "loop0", "sda", "nvme0n2", "dm-0"])
def test_partitions_paths_and_other_disks_have_none(machine: Machine, name: str) -> None:
    with pytest.raises(RefusalError) as refused:
        generic_node(machine.block(name), -1)
    assert "no NVMe generic device" in refused.value.reasons[0]


@needs_root
def test_another_controller_namespace_or_node_is_refused(machine: Machine) -> None:
    with refused("not the generic device"):
        generic_node(machine.block(parent="nvme1"), -1)
    machine.add("ng0n2", "nvme0", "1:5")
    with refused("not the generic device"):
        generic_node(machine.block("nvme0n2"), -1)
    machine.ids[-1] = 2
    with refused("not the generic device"):
        generic_node(_again(machine), -1)


@contextlib.contextmanager
def refused(part: str) -> Iterator[None]:
    with pytest.raises(RefusalError) as caught:
        yield
    assert part in caught.value.reasons[0]


def _again(machine: Machine) -> Block:
    block = Block("nvme0n1")
    block.folder = str(machine.root / "again")
    os.mkdir(block.folder)
    os.symlink(machine.root / "nvme0", block.folder + "/device")
    return block


@needs_root
def test_a_link_or_a_plain_file_in_its_place_is_refused(machine: Machine) -> None:
    node = machine.root / "dev" / "ng0n1"
    node.unlink()
    node.symlink_to("/dev/null")
    with refused("cannot be compared"):
        generic_node(machine.block(), -1)
    node.unlink()
    node.write_bytes(b"")
    with refused("not the generic device"):
        generic_node(_again(machine), -1)


@needs_root
def test_a_process_with_the_generic_device_open_is_a_user_of_the_disk(machine: Machine) -> None:
    block = machine.block()
    (machine.root / "class" / "ng0n1" / "dev").write_text("1:8")  # /dev/random: few have it open
    before = generic_users(block)
    child = os.fork()
    if child == 0:
        os.open("/dev/random", os.O_RDONLY)
        os.read(_READY[0], 1)
        os._exit(0)
    try:
        _until(lambda: len(generic_users(block)) > len(before))
        assert f"process {child} " in " ".join(generic_users(block))
    finally:
        os.write(_READY[1], b"x")
        os.waitpid(child, 0)
    assert generic_users(machine.block("sda")) == []


_READY = os.pipe()


def _until(done: Any) -> None:
    for _try in range(2000):
        if done():
            return
    pytest.fail("the child never opened the device")


def test_placeholders_of_generic_devices() -> None:
    words = fill_placeholders(
        ["{ng0}", "{ng}", "{ng1}", "{target}"], ["/dev/a"], [], ["/dev/ng0n1"]
    )
    assert words == ["/dev/ng0n1", "/dev/ng0n1", "{ng1}", "/dev/a"]
    commands: Any = [{"argv": ["a{ng12}"]}], [{"argv": ["{target} {ngx}"]}]
    assert [passes_through(each) for each in commands] == [True, False]


def spec(argv: list[str], target: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"attempt": ATTEMPT, "commands": [{"argv": argv}], "target": target, **more}


FORMAT = {"kind": "filesystem", "identity": "wwn:x", "name": "ext4", "value": "defaults"}


@pytest.mark.parametrize(
    "document",
    [
        spec(FIO),
        spec(FIO, {"kind": "directory", "path": "/srv", "write": True}),
        spec([*FIO, "--filename={ng1}"], DISK),
        spec(["fio", "--filename=/dev/ng0n1"], DISK),
        spec(["fio", "--filename=/dev//ng0n1"], DISK),
        spec(["fio", "--filename=/dev/./ng0n1"], DISK),
        spec(["fio", "--filename=/proc/self/root/dev/ng0n1"], DISK),
        spec(["fio", "--filename=/dev/char/241:0"], DISK),
        spec(FIO, DISK, tuning=[FORMAT]),
    ],
)
def test_no_job_reaches_a_generic_device_without_the_claim_of_its_disk(
    document: dict[str, Any],
) -> None:
    with pytest.raises(RequestError):
        validate_spec(document)


def test_writes_that_the_owner_cannot_count_are_refused() -> None:
    limits = Limits()
    limits.bytes_a_day = 10**12
    passing = validate_spec(spec(FIO, DISK))
    assert "wwn:x cannot be counted" in " ".join(counting_reasons(passing, limits))
    usual = validate_spec(spec(["fio", "--filename={target}"], DISK))
    assert counting_reasons(usual, limits) == []
    reading = validate_spec(spec(FIO, {**DISK, "write": False}))
    assert counting_reasons(reading, limits) == []


@needs_root
def test_a_disk_without_generic_device_is_refused_and_not_written(
    client: Client, make_loop: Callable[..., Loop]
) -> None:
    loop = make_loop()
    before = loop.digest()
    done = client.run(FIO, target=loop.target())
    assert done["state"] == "refused"
    assert "no NVMe generic device" in done["refused"]["reasons"][0]
    assert loop.digest() == before
    # The claim is released: an ordinary test runs on it.
    assert client.run(["true"], target=loop.target())["state"] != "refused"
