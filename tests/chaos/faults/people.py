"""People act in the middle of a run."""

from __future__ import annotations

from tests.chaos.fault import COSTS, Act, Fault
from tests.chaos.scene import Scene

CANCELLED = frozenset({"succeeded", "cancelled"})


def _cancel(scene: Scene) -> None:
    scene.stack.post(f"runs/{scene.run['id']}/cancel/")


def _cancel_and_kill(scene: Scene) -> None:
    _cancel(scene)
    scene.kill("worker")


def _start_worker(scene: Scene) -> None:
    scene.start("worker")


def _host(**fields: object) -> Act:
    def patch(scene: Scene) -> None:
        scene.stack.api("PATCH", f"hosts/{scene.disk['host']}/", dict(fields))

    return patch


def _check(scene: Scene) -> None:
    scene.stack.post(f"hosts/{scene.disk['host']}/check/")


FAULTS = (
    Fault("cancelled", _cancel, ends=CANCELLED),
    Fault("cancelled, then worker killed", _cancel_and_kill, _start_worker, ends=CANCELLED),
    Fault("host checked", _check),
    Fault("host disabled", _host(enabled=False), _host(enabled=True), ends=COSTS, longest=4.0),
)
