"""benchlab's own processes die or stop."""

from __future__ import annotations

from tests.chaos.fault import Act, Fault
from tests.chaos.scene import Scene

OURS = ("web", "worker", "beat")


def killed(*names: str) -> Act:
    """kill -9 of these."""
    return lambda scene: scene.kill(*names)


def started(*names: str) -> Act:
    """Start these again, servers first."""

    def start(scene: Scene) -> None:
        for name in names:
            if name not in OURS:
                scene.servers.start_one(name)
        scene.start(*(name for name in names if name in OURS))

    return start


def _fault(words: str, *names: str, longest: float = 5.0) -> Fault:
    return Fault(words, killed(*names), started(*names), longest=longest)


def _stop_worker(scene: Scene) -> None:
    scene.freeze("worker", True)


def _wake_worker(scene: Scene) -> None:
    scene.freeze("worker", False)


def _overtaken(scene: Scene) -> None:
    """A second worker takes over from a stopped one, which then wakes up beside it."""
    scene.freeze("worker", True)
    scene.processes["overtaken"] = scene.processes.pop("worker")
    scene.start("worker")


def _one_worker_again(scene: Scene) -> None:
    scene.freeze("overtaken", False)
    scene.kill("overtaken")
    del scene.processes["overtaken"]


FAULTS = (
    _fault("web killed", "web"),
    _fault("worker killed", "worker", longest=20.0),
    _fault("beat killed", "beat"),
    _fault("web, worker and beat killed", "web", "worker", "beat"),
    _fault("everything killed", "web", "worker", "beat", "postgres", "valkey"),
    Fault("worker stopped", _stop_worker, _wake_worker, shortest=2.0, longest=12.0),
    Fault("worker overtaken", _overtaken, _one_worker_again, shortest=5.0, longest=12.0),
)
