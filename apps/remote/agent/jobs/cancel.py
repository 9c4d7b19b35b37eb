"""Ending a job from outside, and forgetting one that has ended."""

import contextlib
import os
import shutil
import signal
import time
from typing import Optional

from ..ceph.conf_settings import CEPH_CONF
from ..ceph.settings import CEPH
from ..demands import number
from ..errors import AbsentError, BusyError, FolderError
from ..files import list_folder, sync_folder
from ..shapes import Reply, Request
from ..tuning.giving_back import give_back
from ..tuning.loan import is_open
from .job import Job
from .status import describe
from .tree import PATIENCE, TICK, Ending, deliver, supervisor

GRACE = 5.0
LONGEST = 600.0
BIRTH = 2.0  # seconds a supervisor may take to write its number down
LEFTOVER = 3600.0
RESTORING = {CEPH: 120.0, CEPH_CONF: 1800.0}


def cancel(base: str, request: Request) -> Reply:
    """The verb: TERM, INT, KILL with `grace` seconds between; safe to repeat, safe after the end.

    The supervisor ends its own tree and gives the tuning back; where it is gone or stuck, this
    does.
    """
    job = Job(base, request["attempt"])
    grace = number(request.get("grace", GRACE), "grace", 0.0, 1e9)
    grace = min(grace, LONGEST)
    if not job.exists():
        return dict(describe(job), survivors=[])
    if not job.is_free():
        with contextlib.suppress(FolderError):  # whoever is there hears the signal as well
            job.write("cancel", {"grace": grace}, durable=False)
        ask_supervisor(job, 2 * grace + 2 * PATIENCE + tidying(job))
    survivors = Ending(job, grace, {os.getpid()}).run()
    if job.is_free() and is_open(job.json("loan.json")):
        give_back(job)
    return dict(describe(job), survivors=survivors)


def tidying(job: Job) -> float:
    """Seconds that the commands which are always run may take, their ending included, and giving
    back what another machine keeps.
    """
    spec = job.json("spec.json") or {}
    longest = [float(item["seconds"]) for item in spec.get("commands") or [] if item.get("always")]
    kinds = {str(item["kind"]) for item in spec.get("tuning") or []}
    asking = max([0.0] + [RESTORING.get(kind, 0.0) for kind in kinds])
    return sum(longest) + (2 * GRACE + PATIENCE) * len(longest) + asking


def ask_supervisor(job: Job, patience: float) -> None:
    """Wake the supervisor and let it finish, for so many seconds."""
    pid = born_supervisor(job)
    if pid is None:
        return
    deliver(pid, signal.SIGTERM)
    until = time.monotonic() + patience
    while not job.is_free() and time.monotonic() < until and supervisor(job) is not None:
        time.sleep(TICK / 2)


def born_supervisor(job: Job) -> Optional[int]:
    """The supervisor; one that was launched this moment gets the time to say who it is."""
    until = time.monotonic() + BIRTH
    while not os.path.exists(job.path("supervisor")) and time.monotonic() < until:
        time.sleep(TICK / 5)
    return supervisor(job)


def forget(base: str, request: Request) -> Reply:
    """The verb: delete a finished job's folder; the tombstone first, so the id can never start
    again. Both are on the disk before this answers: nobody asks a second time, so a folder that a
    crash brought back would stay for good.
    """
    job = Job(base, request["attempt"])
    if not job.exists() and not os.path.exists(job.tombstone):
        raise AbsentError("This host knows no attempt {}.".format(job.attempt))
    if job.exists():
        refuse_if_needed(job)
        os.close(os.open(job.tombstone, os.O_WRONLY | os.O_CREAT, 0o600))
        sync_folder(os.path.dirname(job.tombstone))
        aside = os.path.join(os.path.dirname(job.folder), ".gone-" + job.attempt)
        os.rename(job.folder, aside)
        sync_folder(os.path.dirname(job.folder))
    sweep(os.path.join(base, "jobs"), job.attempt)
    return {"state": "absent", "forgotten": True}


def refuse_if_needed(job: Job) -> None:
    """Raise BusyError while anything of the job is still wanted."""
    if not job.is_free():
        raise BusyError("Attempt {} is still running; cancel it or wait.".format(job.attempt))
    if is_open(job.json("loan.json")):
        raise BusyError(
            "Attempt {} still has settings on loan; recover it first.".format(job.attempt)
        )


def sweep(jobs: str, attempt: str = "") -> None:
    """Remove the folder put aside for an attempt, and what launches or removals cut short left
    behind long ago.
    """
    for name in list_folder(jobs):
        path = os.path.join(jobs, name)
        if name == ".gone-" + attempt or (name.startswith(".") and is_old(path)):
            shutil.rmtree(path, ignore_errors=True)


def is_old(path: str) -> bool:
    """Whether nothing in a folder was made or removed for an hour."""
    try:
        return time.time() - os.stat(path).st_mtime > LEFTOVER
    except OSError:
        return False
