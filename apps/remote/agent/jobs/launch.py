"""Starting a job exactly once for an attempt id."""

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
from ..shapes import Reply, Request, Spec
from .job import Job
from .processes import part
from .spec import checked
from .status import describe
from .supervisor import supervise

RESERVE = 256 << 10  # bytes kept aside so that a full file system can still hold exit.json


def launch(base: str, request: Request) -> Reply:
    """The verb: the job as it is then; `launched` is false when this id was ever started on this
    host. Raises RequestError.
    """
    spec = checked(request["spec"])
    job = Job(base, spec["attempt"])
    launched = begin(job, spec)
    return dict(describe(job), launched=launched)


def begin(job: Job, spec: Spec) -> bool:
    """Whether it was this call that started it."""
    if job.exists() or os.path.exists(job.tombstone):
        return False
    lock = publish(job, spec)
    if lock is None:
        return False
    part(lambda: supervise(job, spec, lock), [lock], job.path("agent.log"))
    os.close(lock)
    return True


def publish(job: Job, spec: Spec) -> Optional[int]:
    """Fill a folder beside and rename it into place, so nobody ever sees a job without a held lock.

    rename(2) refuses a folder that is not empty, so of many launches one wins. The tombstone is
    looked at afterwards: `forget` writes it before it removes the folder.
    """
    try:
        make_folders(job.base)
        beside = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(job.folder))
    except OSError as error:
        raise FolderError(job.base, error) from None
    try:
        lock = fill(beside, spec)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise FolderError(job.base, error) from None
    try:
        os.rename(beside, job.folder)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        discard(beside, lock)
        return None
    if os.path.exists(job.tombstone):
        discard(job.folder, lock)
        return None
    sync_folder(os.path.dirname(job.folder))
    return lock


def discard(folder: str, lock: int) -> None:
    """Give up a folder that lost the race."""
    shutil.rmtree(folder)
    os.close(lock)


def fill(folder: str, spec: Spec) -> int:
    """Everything a job has from its first moment; the held lock's descriptor."""
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
        write_all(fd, bytes(RESERVE))
    finally:
        os.close(fd)
    return lock
