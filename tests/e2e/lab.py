"""The lab of the end-to-end tests, set up through the API as a script would."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeVar

from tests.e2e.stack import JSON, Stack
from tests.harness.netns_host import NetnsHost

T = TypeVar("T")
_number = count(1)
FINAL = ("succeeded", "failed", "cancelled", "lost")
UNBRIDLED = {"rw": "randread", "bs": "4k", "iodepth": 4, "size": "16M", "runtime": 2}
# As fast as it goes, fio and the loop device keep two processors busy; few tests are about speed.
# Between two requests fio sleeps, but spins for as long as a sleep was late when it began: that is
# milliseconds on a busy machine, and so all of the time at 500 requests a second.
READ = UNBRIDLED | {"rate_iops": 50}
WRITE = READ | {"rw": "randwrite"}


def until(look: Callable[[], T], wanted: Callable[[T], bool], seconds: float, why: str = "") -> T:
    """What `look` sees as soon as it is what is wanted. Each look costs the server some hundredths
    of a processor's second, so who waits long looks seldom.
    """
    began = time.monotonic()
    while (waited := time.monotonic() - began) < seconds:
        seen = look()
        if wanted(seen):
            return seen
        time.sleep(min(0.1 + waited / 10, 0.8))
    raise AssertionError(f"{why} not within {seconds} s: {look()}")


def add_box(stack: Stack, box: NetnsHost, name: str = "box") -> JSON:
    """Enrol a host in a box: its key shown, compared, pinned; then its facts. The worker may have
    been started this moment.
    """
    host = stack.post(
        "hosts/",
        {
            "name": name,
            "address": box.network.address,
            "user": "root",
            "private_key": box.private_key,
        },
    )
    stack.post(f"hosts/{host['id']}/check/")
    path = f"hosts/{host['id']}/"
    offered = until(
        lambda: stack.get(path), lambda h: bool(h["presented_key_fingerprint"]), 90, "key offered"
    )
    stack.post(f"{path}accept-key/", {"fingerprint": offered["presented_key_fingerprint"]})
    return checked(stack, host["id"])


def checked(stack: Stack, host_id: int) -> JSON:
    """The host after a worker has looked at it once more."""
    path = f"hosts/{host_id}/"
    stack.post(f"{path}check/")
    return until(
        lambda: stack.get(path),
        lambda h: h["check_requested_at"] is None and h["health"] != "unchecked",
        60,
        "host checked",
    )


def enrol(stack: Stack, host_id: int, node: Path | str) -> JSON:
    """Mark the disk with this node as expendable."""
    checked(stack, host_id)
    disk = next(d for d in stack.rows(f"disks/?host={host_id}") if d["device_path"] == str(node))
    enrolled: JSON = stack.post(f"disks/{disk['id']}/enrol/", {"confirm": disk["identity"]})
    return enrolled


def tuning(stack: Stack, scheduler: str) -> int:
    """A profile that sets the scheduler; its id."""
    setting = {"kind": "queue", "name": "scheduler", "value": scheduler}
    body = {"name": f"Scheduler {scheduler} {next(_number)}", "settings": [setting]}
    return int(stack.post("tunings/", body)["id"])


def plan(stack: Stack, target: JSON, *steps: JSON, **fields: object) -> JSON:
    """A plan of fio steps on one disk."""
    body = {
        "name": f"plan {next(_number)} on {target['device_path']}",
        "repeats": 1,
        "steps": [{"tool": "fio", "params": params} for params in steps],
        "targets": [f"disk:{target['id']}"],
    }
    made: JSON = stack.post("plans/", body | fields)
    return made


def launch(stack: Stack, plan_: JSON) -> JSON:
    """A run of the plan."""
    run: JSON = stack.post("runs/", {"plan": plan_["id"]})
    return run


def ended(stack: Stack, run: JSON, seconds: float = 90) -> JSON:
    """The run when it has ended."""
    path = f"runs/{run['id']}/"
    return until(lambda: stack.get(path), lambda r: r["state"] in FINAL, seconds, "run ended")


def cases(stack: Stack, run: JSON) -> list[JSON]:
    """The run's cases with their attempts."""
    rows = stack.rows(f"cases/?run={run['id']}")
    details = [stack.get(f"cases/{row['id']}/") for row in rows]
    return sorted(details, key=lambda case: case["sequence"])


def decisions(run: JSON) -> list[JSON]:
    """The answers of the run's stopping rules, oldest first."""
    return [row for row in run["extensions"] if row["kind"] == "rule"]


def assert_state(stack: Stack, run: JSON, wanted: str) -> None:
    """The run ended as wanted; else its reasons and the worker's log are the message."""
    if run["state"] == wanted:
        return
    told = [(case["sequence"], case["state"], case["reason"]) for case in cases(stack, run)]
    raise AssertionError(
        f"run {run['id']} is {run['state']} ({run['reason']}), not {wanted}\n{told}\n"
        f"{stack.log('worker')}"
    )


def running(stack: Stack, run: JSON) -> JSON:
    """The run's attempt that is executing its tool right now."""

    def look() -> list[JSON]:
        rows = stack.rows(f"cases/?run={run['id']}&state=running")
        attempts = [a for row in rows for a in stack.get(f"cases/{row['id']}/")["attempts"]]
        return [a for a in attempts if a["state"] == "running"]

    return until(look, bool, 60, "an attempt runs")[0]
