"""Start a job exactly once per attempt id."""

import errno
import fcntl
import json
import os
import shutil
import tempfile
from typing import Optional

from ..errors import FolderError
from ..files import sync_folder, write_all
from ..host.identity import boot_id, make_folders, now
from ..processes.job_folder import Job
from ..processes.start import start_session
from ..schema import Request, Response, Spec
from .spec import validate_spec
from .status import describe
from .supervisor import supervise

RESERVE_BYTES = 256 << 10  # so that a full file system can still hold exit.json


def launch(base: str, request: Request) -> Response:
    """Run the verb: return the job's status.

    `launched` is false if this id was started before on this host. Raises: RequestError.
    """
    spec = validate_spec(request["spec"])
    job = Job(base, spec["attempt"])
    launched = start_once(job, spec)
    return dict(describe(job), launched=launched)


def start_once(job: Job, spec: Spec) -> bool:
    """Return True if this call started the job."""
    if job.exists() or os.path.exists(job.tombstone):
        return False
    lock = publish(job, spec)
    if lock is None:
        return False
    start_session(lambda: supervise(job, spec, lock), [lock], job.path("agent.log"))
    os.close(lock)
    return True


def publish(job: Job, spec: Spec) -> Optional[int]:
    """Fill a temporary folder and rename it, so that a job is never visible without a held lock.

    rename(2) fails on a non-empty folder, so of several launches one wins. The tombstone is checked
    afterwards, since `delete_job` writes it before removing the folder.
    """
    try:
        make_folders(job.base)
        beside = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(job.folder))
    except OSError as error:
        raise FolderError(job.base, error) from None
    try:
        lock = fill_folder(beside, spec)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise FolderError(job.base, error) from None
    try:
        os.rename(beside, job.folder)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        discard_folder(beside, lock)
        return None
    if os.path.exists(job.tombstone):
        discard_folder(job.folder, lock)
        return None
    sync_folder(os.path.dirname(job.folder))
    return lock


def discard_folder(folder: str, lock: int) -> None:
    """Remove a folder that lost the race."""
    shutil.rmtree(folder)
    os.close(lock)


def fill_folder(folder: str, spec: Spec) -> int:
    """Write the initial files; return the descriptor of the held lock."""
    lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    contents = {
        "spec.json": json.dumps(spec, sort_keys=True),
        "boot_id": boot_id(),
        "phase": "preflight",
        "contact": repr(now()["monotonic"]),
        "stdout": "",
        "stderr": "",
    }
    for name, text in contents.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    fd = os.open(os.path.join(folder, "reserve"), os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        write_all(fd, bytes(RESERVE_BYTES))
    finally:
        os.close(fd)
    return lock
