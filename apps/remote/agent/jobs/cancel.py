"""The verbs `cancel` and `delete_job`."""

import contextlib
import os
import shutil
import signal
import time
from typing import Optional

from ..errors import AbsentError, BusyError, FolderError
from ..files import list_folder, sync_folder
from ..processes.job_folder import Job
from ..processes.tree import (
    KILL_TIMEOUT_SECONDS,
    POLL_SECONDS,
    TreeTermination,
    send_signal,
    supervisor,
)
from ..schema import Request, Response
from ..tuning.carried import is_carried
from ..tuning.ceph_conf_settings import CEPH_CONF
from ..tuning.ceph_settings import CEPH
from ..tuning.journal import is_open
from ..tuning.restore import restore_settings
from ..validators import boolean, number
from .status import describe

GRACE_SECONDS = 5.0
MAX_GRACE_SECONDS = 600.0
SUPERVISOR_START_SECONDS = 2.0  # until a supervisor has written its PID
STALE_SECONDS = 3600.0
RESTORE_SECONDS = {CEPH: 120.0, CEPH_CONF: 1800.0}
DISTURBANCE_SECONDS = 600.0  # until an OSD is in or has started again


def cancel(base: str, request: Request) -> Response:
    """Run the verb: TERM, INT and KILL, `grace` seconds apart. Idempotent, also after the end.

    The supervisor ends its tree and restores the tuning; this does it if the supervisor is gone or
    stuck. `carry`: the settings stay for the next job with the same key (tuning/carried.py).
    """
    job = Job(base, request["attempt"])
    grace = number(request.get("grace", GRACE_SECONDS), "grace", 0.0, 1e9)
    grace = min(grace, MAX_GRACE_SECONDS)
    carry = boolean(request, "carry")
    if not job.exists():
        return dict(describe(job), survivors=[])
    if not job.is_free():
        with contextlib.suppress(FolderError):  # the signal reaches the supervisor in any case
            job.write("cancel", {"grace": grace, "carry": carry}, durable=False)
        signal_supervisor(job, 2 * grace + 2 * KILL_TIMEOUT_SECONDS + cleanup_seconds(job))
    survivors = TreeTermination(job, grace, {os.getpid()}).run()
    record = job.json("tuning-journal.json")
    if carry and is_carried(record) and job.json("exit.json") is not None:
        job.touch_contact()  # the lease of the settings begins now
    elif job.is_free() and is_open(record):
        restore_settings(job)
    return dict(describe(job), survivors=survivors)


def cleanup_seconds(job: Job) -> float:
    """Return the seconds that `always` commands and restoring Ceph settings may take."""
    spec = job.json("spec.json") or {}
    longest = [float(item["seconds"]) for item in spec.get("commands") or [] if item.get("always")]
    kinds = {str(item["kind"]) for item in spec.get("tuning") or []}
    asking = max([0.0] + [RESTORE_SECONDS.get(kind, 0.0) for kind in kinds])
    asking += DISTURBANCE_SECONDS if spec.get("disturbance") else 0.0
    return sum(longest) + (2 * GRACE_SECONDS + KILL_TIMEOUT_SECONDS) * len(longest) + asking


def signal_supervisor(job: Job, timeout: float) -> None:
    """Signal the supervisor and wait up to `timeout` seconds for its end."""
    pid = wait_for_supervisor(job)
    if pid is None:
        return
    send_signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + timeout
    while not job.is_free() and time.monotonic() < deadline and supervisor(job) is not None:
        time.sleep(POLL_SECONDS / 2)


def wait_for_supervisor(job: Job) -> Optional[int]:
    """Return the supervisor's PID; waits until a new one has written it."""
    deadline = time.monotonic() + SUPERVISOR_START_SECONDS
    while not os.path.exists(job.path("supervisor")) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS / 5)
    return supervisor(job)


def delete_job(base: str, request: Request) -> Response:
    """Run the verb: write the tombstone, then delete a finished job's folder.

    The id cannot start again. Both steps are fsynced before the response, since nothing would
    delete a folder that a crash restores.
    """
    job = Job(base, request["attempt"])
    if not job.exists() and not os.path.exists(job.tombstone):
        raise AbsentError("This host has no attempt {}.".format(job.attempt))
    if job.exists():
        refuse_if_in_use(job)
        os.close(os.open(job.tombstone, os.O_WRONLY | os.O_CREAT, 0o600))
        sync_folder(os.path.dirname(job.tombstone))
        aside = os.path.join(os.path.dirname(job.folder), ".gone-" + job.attempt)
        os.rename(job.folder, aside)
        sync_folder(os.path.dirname(job.folder))
    remove_stale_folders(os.path.join(base, "jobs"), job.attempt)
    return {"state": "absent", "deleted": True}


def refuse_if_in_use(job: Job) -> None:
    """Raise BusyError while the job runs or its journal is open."""
    if not job.is_free():
        raise BusyError("Attempt {} is still running; cancel it or wait.".format(job.attempt))
    if is_open(job.json("tuning-journal.json")):
        raise BusyError(
            "Attempt {} has unrestored settings; restore them first.".format(job.attempt)
        )


def remove_stale_folders(jobs: str, attempt: str = "") -> None:
    """Remove the renamed folder of an attempt, and stale temporary folders."""
    for name in list_folder(jobs):
        path = os.path.join(jobs, name)
        if name == ".gone-" + attempt or (name.startswith(".") and is_old(path)):
            shutil.rmtree(path, ignore_errors=True)


def is_old(path: str) -> bool:
    """Return True if a folder has not changed for an hour."""
    try:
        return time.time() - os.stat(path).st_mtime > STALE_SECONDS
    except OSError:
        return False
