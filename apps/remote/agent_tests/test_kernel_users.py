"""Users of a disk that the kernel's own claim does not see are seen by the agent."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent.disks import kernel_users
from apps.remote.agent.disks.blocks import Block
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import Loop, losetup, until

pytestmark = pytest.mark.needs_root

WIPE = ["dd", "if=/dev/urandom", "of={target}", "bs=1M", "count=8", "conv=fsync"]


@contextlib.contextmanager
def loop_over(path: str | Path) -> Iterator[str]:
    """One more loop device over a file or a disk of ours."""
    node = losetup(Path(path))
    try:
        yield node
    finally:
        until(lambda: subprocess.run(["losetup", "-d", node]).returncode == 0)
        # A device that another process has open is detached when that process closes it.
        backing_file = Path("/sys/block", Path(node).name, "loop", "backing_file")
        until(lambda: not backing_file.exists())


def test_a_disk_under_a_mounted_loop_device_is_refused(
    client: Client, loop: Loop, tmp_path: Path
) -> None:
    """O_EXCL alone lets it through, and the wipe of signatures may even be confirmed."""
    (tmp_path / "m").mkdir()
    with loop_over(loop.node) as upper:
        subprocess.run(["mkfs.ext4", "-q", upper], check=True)
        subprocess.run(["mount", upper, str(tmp_path / "m")], check=True)
        try:
            os.close(os.open(loop.node, os.O_RDWR | os.O_EXCL))
            before = loop.digest()
            done = client.run(WIPE, target=loop.target(allow_signatures=True))
            assert loop.digest() == before
        finally:
            subprocess.run(["umount", str(tmp_path / "m")], check=True)
    assert done["state"] == "refused"
    reasons = done["refused"]["reasons"]
    assert any(r.startswith("Loop: ") and upper in r for r in reasons), reasons


def test_the_same_file_under_another_name_is_refused(client: Client, loop: Loop) -> None:
    other = loop.file.with_name("another name.img")
    os.link(loop.file, other)
    with loop_over(other):
        done = client.run(WIPE, target=loop.target())
    assert done["refused"]["reasons"][0].startswith("Loop: ")
    assert client.run(WIPE, target=loop.target())["state"] == "done"


@pytest.mark.parametrize(("enabled", "refused"), [("1", True), ("0", False)])
def test_a_disk_given_away_over_a_fabric_is_seen(
    loop: Loop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_loop: Callable[..., Loop],
    enabled: str,
    refused: bool,
) -> None:
    """The folders are the kernel's; this one has no NVMe target to switch on."""
    space = tmp_path / "subsystems" / "nqn.lab" / "namespaces" / "1"
    space.mkdir(parents=True)
    (tmp_path / "by-id").symlink_to(loop.node)
    (space / "device_path").write_text(f"{tmp_path / 'by-id'}\n")
    (space / "enable").write_text(f"{enabled}\n")
    monkeypatch.setattr(kernel_users, "NVMET", str(tmp_path / "subsystems"))
    assert bool(kernel_users.nvme_export_reasons(Block(loop.name))) is refused
    assert kernel_users.nvme_export_reasons(Block(make_loop("other").name)) == []
