"""The box is a host of its own, and leaves nothing behind."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .net import claim_network, run
from .netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
MakeBox = Callable[..., NetnsHost]


def test_two_boxes_live_side_by_side(make_box: MakeBox) -> None:
    one, two = make_box(), make_box()
    assert one.network.address != two.network.address
    assert one.boot_id != two.boot_id
    assert one.init != two.init


def test_a_power_cut_leaves_no_process_and_the_next_boot_is_another(box: NetnsHost) -> None:
    before, folder = box.boot_id, str(box.folder)
    box.power_cut()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert folder not in listed.stdout
    box.start()
    assert box.boot_id != before
    assert any(folder in line for line in box.processes())


def test_a_box_may_have_a_clock_of_its_own(make_box: MakeBox) -> None:
    """Seconds that nobody can set: a box whose clock began elsewhere is another machine in time."""
    boxes = [make_box(), make_box(clock=5000)]
    ask = ("python3", "-c", "import time; print(time.monotonic())")
    told = [float(box.inside(*ask)) for box in boxes]
    assert 4990 < told[1] - told[0] < 5060


def test_the_machine_itself_is_not_changed(box: NetnsHost) -> None:
    assert f"{box.ordinary}:x:4242" not in Path("/etc/passwd").read_text()
    assert Path("/proc/sys/kernel/random/boot_id").read_text().strip() != box.boot_id
    assert not (Path("/etc/sudoers.d") / "bench").exists()


def test_a_stopped_box_leaves_no_network(box: NetnsHost) -> None:
    name = box.network.namespace
    assert name in run("ip", "netns", "list").split()
    box.stop()
    assert name not in run("ip", "netns", "list").split()
    box.network = claim_network()  # The fixture stops it once more.


def test_networks_are_never_shared() -> None:
    networks = [claim_network() for _ in range(3)]
    assert len({network.number for network in networks}) == 3
    for network in networks:
        network.release()
