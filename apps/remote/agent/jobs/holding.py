"""Jobs that start together with others: held when everything is prepared, released for a moment on
this host's own steady clock.
"""

import contextlib
import os
import time
from typing import Callable, Optional

from ..demands import number, require
from ..errors import BusyError, RefusalError
from ..files import write_json
from ..shapes import Reply, Request
from .job import Job
from .status import state

LOOK = 0.01  # seconds between looks for the release, which names a moment that is still to come
LEAD = 0.05  # seconds before the start in which nothing else is done any more
SPIN = 0.002  # seconds that a sleep may oversleep: they are waited for awake
SLICE = 0.25
FARTHEST = 3600.0
NOBODY = (
    "Start: nobody released this job within {:.0f} seconds; look at the other hosts of the case. "
    "Nothing was started."
)


def wait_for_release(job: Job, seconds: float, sleep: Callable[[float], None]) -> float:
    """The monotonic second to start at, almost reached. `sleep` raises when a cancel comes. Raises
    RefusalError after so many seconds without a release.
    """
    until = time.monotonic() + seconds
    job.set_phase("ready")
    at = released(job)
    while at is None:
        if time.monotonic() > until:
            raise RefusalError([NOBODY.format(seconds)])
        sleep(LOOK)
        at = released(job)
    while at - time.monotonic() > LEAD:
        sleep(min(SLICE, at - time.monotonic() - LEAD))
    return at


def wait_until(at: float) -> None:
    """To a monotonic second that is near, as exactly as this machine can."""
    time.sleep(max(0.0, at - time.monotonic() - SPIN))
    while time.monotonic() < at:
        pass


def released(job: Job) -> Optional[float]:
    """The moment a job was released for; None when it was not."""
    said = job.json("release")
    return float(said["at"]) if isinstance(said, dict) else None


def release(base: str, request: Request) -> Reply:
    """The verb. `state`: `released`, or what has become of the job; `at`: the moment of the first
    release, which stays. Raises RequestError, or BusyError before the job is ready.
    """
    job = Job(base, request["attempt"])
    at = number(request["at"], "at", 0.0, time.monotonic() + FARTHEST)
    try:
        now = state(job, job.is_free())
    except FileNotFoundError:
        return {"state": "absent", "at": None, "forgotten": os.path.exists(job.tombstone)}
    if now != "running":
        return {"state": now, "at": released(job)}
    held = bool((job.json("spec.json") or {}).get("hold"))
    require(held, "Attempt {} is not held.".format(job.attempt))
    if released(job) is None and job.text("phase") != "ready":
        sentence = "Attempt {} is not ready yet (phase {}); ask again when it is."
        raise BusyError(sentence.format(job.attempt, job.text("phase")))
    put(job, at)
    return {"state": "released", "at": released(job)}


def put(job: Job, at: float) -> None:
    """Write the release down, unless there is one: link(2) replaces nothing."""
    beside = job.path("release.{}.tmp".format(os.getpid()))
    write_json(beside, {"at": at}, durable=False)
    with contextlib.suppress(FileExistsError):
        os.link(beside, job.path("release"))
    os.unlink(beside)
