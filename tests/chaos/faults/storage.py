"""File systems fill up, or break."""

from __future__ import annotations

from tests.chaos.fault import COSTS, LOSES, Fault
from tests.chaos.scene import Scene


def _fill_agents(scene: Scene) -> None:
    scene.agents.fill()


def _free_agents(scene: Scene) -> None:
    scene.agents.free()


def _fill_home(scene: Scene) -> None:
    scene.home.fill()


def _free_home(scene: Scene) -> None:
    scene.home.free()


def _break_agents(scene: Scene) -> None:
    scene.agents.break_down()


def _repair_agents(scene: Scene) -> None:
    """As somebody would: restart the host, with a check of the file system. Settings are not put
    back here, because the agent had the time to do it itself.
    """
    scene.box.power_cut()
    scene.agents.repair()
    scene.switch_on()


FAULTS = (
    Fault("agent's folder full", _fill_agents, _free_agents, COSTS, 2.0, 12.0),
    Fault("agent's folder full for long", _fill_agents, _free_agents, COSTS, 20.0, 25.0),
    Fault("agent's folder read-only", _break_agents, _repair_agents, LOSES, 25.0, 30.0),
    Fault("BENCHLAB_HOME full", _fill_home, _free_home, shortest=2.0, longest=12.0),
)
