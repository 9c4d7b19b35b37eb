"""The way to the host breaks."""

from __future__ import annotations

from tests.chaos.fault import Fault
from tests.chaos.scene import Scene


def _unplug(scene: Scene) -> None:
    scene.box.link(False)


def _plug_in(scene: Scene) -> None:
    scene.box.link(True)


def _black_hole(scene: Scene) -> None:
    scene.box.drop_packets(True)


def _whole_again(scene: Scene) -> None:
    scene.box.drop_packets(False)


def _restart_sshd(scene: Scene) -> None:
    scene.box.restart_sshd()


FAULTS = (
    Fault("cable pulled", _unplug, _plug_in, shortest=1.0, longest=25.0),
    Fault("packets dropped", _black_hole, _whole_again, shortest=1.0, longest=25.0),
    Fault("sshd restarted", _restart_sshd),
)
