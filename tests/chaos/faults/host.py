"""Programs on the host die, or the host itself."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable

from tests.chaos.fault import COSTS, LOSES, Fault
from tests.chaos.scene import SETTINGS, Scene


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _kill_fio(scene: Scene) -> None:
    _kill(scene.box.pids_of("fio.real"))


def _kill_supervisors(scene: Scene) -> None:
    for folder in scene.job_folders():
        with contextlib.suppress(OSError, RuntimeError):
            scene.box.inside("kill", "-9", (folder / "supervisor").read_text())


def _kill_agent(scene: Scene) -> None:
    _kill(scene.box.pids_of_agent())


def _kill_agent_and_fio(scene: Scene) -> None:
    _kill_agent(scene)
    _kill_fio(scene)


def _cut_power(scene: Scene) -> None:
    scene.box.power_cut()


def _power_on(scene: Scene) -> None:
    """Settings are those of a fresh boot: the kernel of this machine goes on, a host's does not."""
    for name in SETTINGS:
        with contextlib.suppress(OSError):
            (scene.queue / name).write_text(scene.at_boot[name])
    scene.switch_on()


FAULTS = (
    Fault("fio killed", _kill_fio, ends=COSTS),
    Fault("agent's supervisor killed", _kill_supervisors, ends=LOSES),
    Fault("agent killed", _kill_agent, ends=LOSES),
    Fault("agent and fio killed", _kill_agent_and_fio, ends=LOSES),
    Fault("power cut", _cut_power, _power_on, ends=LOSES, longest=8.0),
)
