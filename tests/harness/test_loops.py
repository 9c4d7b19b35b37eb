"""The harness lends loop devices, takes them back, and touches no other disk."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from .loops import detach, loop_disk, require_loop

WRONG = ["/dev/vda", "/dev/loop0p1", "/dev/../dev/vda", "loop0", "/dev/loop", "/dev/loop0\n", ""]
root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.mark.parametrize("device", WRONG)
def test_only_whole_loop_devices_pass(device: str) -> None:
    with pytest.raises(ValueError, match="no loop device"):
        require_loop(device)
    with pytest.raises(ValueError, match="no loop device"):
        detach(device)


def backing(device: str) -> str:
    """The file a loop device shows, "" when it shows none."""
    command = ["losetup", "--noheadings", "--output", "BACK-FILE", device]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.needs_root
@root
def test_a_loop_disk_is_lent_and_taken_back(tmp_path: Path) -> None:
    with loop_disk(8, tmp_path) as device:
        name = device.removeprefix("/dev/")
        assert backing(device).startswith(str(tmp_path))
        assert int(Path(f"/sys/block/{name}/size").read_text()) * 512 == 8 << 20
    assert not backing(device).startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.needs_root
@root
def test_a_failing_test_leaves_no_loop_disk(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="the test"), loop_disk(8, tmp_path) as device:
        raise RuntimeError("the test")
    assert not backing(device).startswith(str(tmp_path))
