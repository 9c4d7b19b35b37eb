"""The standard check after a round: the run ended as it may, each attempt was started once, what is
stored is what fio wrote, settings are as before, the disk can be claimed, nothing is left.
"""

from __future__ import annotations

import os
import time
import urllib.error
from collections.abc import Callable, Iterator

from tests.chaos.fault import Fault
from tests.chaos.finding import Finding, FindingKind
from tests.chaos.scene import Scene
from tests.chaos.starts import RESULT
from tests.e2e.lab import FINAL, cases
from tests.e2e.stack import JSON, ApiError

END_SECONDS = 240.0
CALM_SECONDS = 90.0
"""Settings come back when contact was lost for a lease (60 s), if nobody gives them back before."""


def checked(scene: Scene, fault: Fault) -> list[Finding]:
    """Everything that is wrong after a round; waits for its end and for what follows by itself."""
    if not _awaited(lambda: _state(scene) in FINAL, END_SECONDS):
        return [Finding("stuck", f"run {scene.run['id']} is {_state(scene)}")]
    return [*_of_run(scene, fault), *_of_host(scene)]


def _of_run(scene: Scene, fault: Fault) -> Iterator[Finding]:
    run = scene.stack.get(f"runs/{scene.run['id']}/")
    rows = cases(scene.stack, run)
    if run["state"] not in fault.ends:
        reasons = [case["reason"] for case in rows if case["reason"]]
        yield Finding("wrong", f"run {run['id']} is {run['state']}: {run['reason']} {reasons}")
    for case in rows:
        yield from _of_case(scene, case)


def _of_figures(scene: Scene) -> Iterator[Finding]:
    try:
        scene.stack.manage("rebuild_summaries", "--check")
    except AssertionError as error:
        yield Finding("wrong", str(error))


def _of_case(scene: Scene, case: JSON) -> Iterator[Finding]:
    starts = scene.starts.counted()
    for attempt in case["attempts"]:
        if starts[attempt["id"]] > 1:
            yield Finding(
                "twice", f"attempt {attempt['id']}: fio started {starts[attempt['id']]} x"
            )
    if case["failure_cause"] == "benchlab":
        yield Finding("wrong", f"case {case['id']}: {case['reason']}")
    if case["state"] == "succeeded":
        yield from _of_result(scene, case)
    elif case["state"] != "cancelled" and not case["reason"]:
        yield Finding("wrong", f"case {case['id']} is {case['state']} without a reason")


def _of_result(scene: Scene, case: JSON) -> Iterator[Finding]:
    last = case["attempts"][-1]
    measured = scene.stack.rows(f"measurements/?case={case['id']}")
    if not measured or not last["valid"]:
        yield Finding("wrong", f"case {case['id']} succeeded without a valid result: {last}")
    path = f"cases/{case['id']}/attempts/{last['number']}/artifacts/{RESULT}/"
    stored, written = scene.stack.download(path), scene.starts.written(last["id"])
    if stored != written:
        words = f"{RESULT} of attempt {last['id']}: {len(stored)} bytes stored"
        yield Finding("wrong", f"{words}, {len(written)} written")


def _of_host(scene: Scene) -> Iterator[Finding]:
    waits: tuple[tuple[FindingKind, str, Callable[[], object]], ...] = (
        ("not restored", "settings", lambda: _changed(scene)),
        ("left", "processes", lambda: scene.box.pids_of("fio.real")),
        ("left", "claim", lambda: _claim(scene.node)),
    )
    for kind, what, look in waits:
        if not _awaited(lambda look=look: not look(), CALM_SECONDS):  # type: ignore[misc] # bound now
            yield Finding(kind, f"{what}: {look()}")


def left_at_last(scene: Scene) -> Iterator[Finding]:
    """What the host has not forgotten after the last round, and figures of any round that differ
    from their measurements.
    """
    yield from _of_figures(scene)
    if not _awaited(lambda: not scene.job_folders(), CALM_SECONDS):
        yield Finding("left", f"job folders {[each.name for each in scene.job_folders()]}")


def _changed(scene: Scene) -> dict[str, str]:
    """Settings that are not what they were at boot."""
    now = scene.settings()
    return {name: value for name, value in now.items() if value != scene.at_boot[name]}


def _claim(node: str) -> str:
    """Why the disk cannot be claimed."""
    try:
        os.close(os.open(node, os.O_RDWR | os.O_EXCL))
    except OSError as error:
        return str(error)
    return ""


def _state(scene: Scene) -> str:
    """The run's state, "unknown" while benchlab does not answer."""
    try:
        return str(scene.stack.get(f"runs/{scene.run['id']}/")["state"])
    except (ApiError, urllib.error.URLError, OSError):
        return "unknown"


def _awaited(look: Callable[[], bool], seconds: float) -> bool:
    began = time.monotonic()
    while not look():
        waited = time.monotonic() - began
        if waited > seconds:
            return False
        time.sleep(min(0.2 + waited / 10, 0.8))
    return True
