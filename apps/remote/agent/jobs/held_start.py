"""Hold a prepared job until a start time on this host's monotonic clock."""

import contextlib
import os
import time
from typing import Callable, Optional

from ..errors import BusyError, RefusalError
from ..files import write_json
from ..processes.job_folder import Job
from ..schema import Request, Response
from ..validators import number, require
from .status import job_state

POLL_SECONDS = 0.01  # between reads of the start time, which lies in the future
LEAD_SECONDS = 0.05  # before the start: no other work from then on
SPIN_SECONDS = 0.002  # busy-wait instead of the imprecision of sleep
SLEEP_SECONDS = 0.25
MAX_AHEAD_SECONDS = 3600.0
NOT_STARTED = (
    "Start: no start time within {:.0f} seconds; check the other hosts of the case. "
    "Nothing was started."
)


def wait_for_start(job: Job, seconds: float, sleep: Callable[[float], None]) -> float:
    """Return the monotonic second to start at, shortly before it.

    `sleep` raises on cancel. Raises: RefusalError after `seconds` without a start time.
    """
    deadline = time.monotonic() + seconds
    job.set_phase("ready")
    start_at = scheduled_start(job)
    while start_at is None:
        if time.monotonic() > deadline:
            raise RefusalError([NOT_STARTED.format(seconds)])
        sleep(POLL_SECONDS)
        start_at = scheduled_start(job)
    while start_at - time.monotonic() > LEAD_SECONDS:
        sleep(min(SLEEP_SECONDS, start_at - time.monotonic() - LEAD_SECONDS))
    return start_at


def wait_until(start_at: float) -> None:
    """Wait for a near monotonic second as exactly as possible."""
    time.sleep(max(0.0, start_at - time.monotonic() - SPIN_SECONDS))
    while time.monotonic() < start_at:
        pass


def scheduled_start(job: Job) -> Optional[float]:
    """Return the start time of a job; None if it has none."""
    document = job.json("start.json")
    return float(document["start_at"]) if isinstance(document, dict) else None


def start_held(base: str, request: Request) -> Response:
    """Run the verb: set the start time.

    `state`: `scheduled`, or the state of the job; `start_at`: of the first request, which stays.
    Raises: RequestError; BusyError before the job is ready.
    """
    job = Job(base, request["attempt"])
    start_at = number(request["start_at"], "start_at", 0.0, time.monotonic() + MAX_AHEAD_SECONDS)
    try:
        now = job_state(job, job.is_free())
    except FileNotFoundError:
        return {"state": "absent", "start_at": None, "deleted": os.path.exists(job.tombstone)}
    if now != "running":
        return {"state": now, "start_at": scheduled_start(job)}
    held = bool((job.json("spec.json") or {}).get("hold"))
    require(held, "Attempt {} is not held.".format(job.attempt))
    if scheduled_start(job) is None and job.text("phase") != "ready":
        sentence = "Attempt {} is not ready yet (phase {}); try again when it is."
        raise BusyError(sentence.format(job.attempt, job.text("phase")))
    write_start(job, start_at)
    return {"state": "scheduled", "start_at": scheduled_start(job)}


def write_start(job: Job, start_at: float) -> None:
    """Write the start time unless there is one: link(2) does not replace."""
    beside = job.path("release.{}.tmp".format(os.getpid()))
    write_json(beside, {"start_at": start_at}, durable=False)
    with contextlib.suppress(FileExistsError):
        os.link(beside, job.path("start.json"))
    os.unlink(beside)
