"""A job's folder: names, lock and phase. The lock is the liveness: free means that nobody is
left.
"""

import contextlib
import errno
import fcntl
import os
import re
import time
from typing import Any, List, Optional

from ..errors import FolderError, RequestError
from ..files import list_folder, read_json, read_text, write_atomic, write_json

ATTEMPT = re.compile(r"^[A-Za-z0-9][A-Za-z0-9-]{0,63}$")
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # seconds between tries to write a last file
# The agent's own files: never offered as the tool's output.
OWN = frozenset(
    "lock spec.json boot_id phase argv.json loan.json refused.json exit.json".split()
    + "cancel contact supervisor reserve release".split()
)


class Job:
    """One attempt's folder under `<base>/jobs`."""

    def __init__(self, base: str, attempt: Any) -> None:
        if not isinstance(attempt, str) or not ATTEMPT.match(attempt):
            raise RequestError("{!r} is not an attempt id.".format(attempt))
        self.base = base
        self.attempt = attempt
        self.folder = os.path.join(base, "jobs", attempt)
        self.tombstone = os.path.join(base, "done", attempt)

    def path(self, name: str) -> str:
        """A file in the job's folder."""
        return os.path.join(self.folder, name)

    def exists(self) -> bool:
        """Whether the folder is there: the job was launched and not forgotten."""
        return os.path.isdir(self.folder)

    def json(self, name: str) -> Optional[Any]:
        """A document of the folder, None when it is absent."""
        return read_json(self.path(name))

    def text(self, name: str) -> Optional[str]:
        """A text file of the folder, None when it is absent."""
        return read_text(self.path(name))

    def write(self, name: str, value: Any, durable: bool = True) -> None:
        """A document of the folder is written, atomically. Raises FolderError."""
        try:
            write_json(self.path(name), value, durable)
        except OSError as error:
            raise FolderError(self.base, error) from None

    def write_at_last(self, name: str, value: Any) -> None:
        """A document that must be there in the end: room is made for it, and it is tried again for
        half a minute. Raises FolderError.
        """
        self.free_reserve()
        for pause in PAUSES:
            try:
                return self.write(name, value)
            except FolderError as error:
                if error.errno == errno.EROFS:
                    raise
            time.sleep(pause)
        return self.write(name, value)

    def free_reserve(self) -> None:
        """Give back the room that was kept aside for the last files."""
        with contextlib.suppress(OSError):
            os.unlink(self.path("reserve"))

    def set_phase(self, phase: str) -> None:
        """Say what happens now, if that can be written. It is for people, nothing is decided by
        it.
        """
        with contextlib.suppress(OSError):
            write_atomic(self.path("phase"), phase.encode(), durable=False)

    def touch_contact(self) -> bool:
        """Somebody looks after the job: on the clock that nobody can set. False if that could not
        be written.
        """
        try:
            write_atomic(self.path("contact"), repr(time.monotonic()).encode(), durable=False)
        except OSError:
            return False
        return True

    def contact_age(self) -> float:
        """Seconds since somebody last looked after the job."""
        return time.monotonic() - float(self.text("contact") or 0.0)

    def is_free(self) -> bool:
        """Whether no process of the job is left."""
        return self.take_shared(fcntl.LOCK_NB)

    def wait_free(self) -> None:
        """Sleep in the kernel until the last process that inherited the lock is gone."""
        self.take_shared(0)

    def take_shared(self, flags: int) -> bool:
        """Take and drop the lock as a reader. Read-only: `tree` knows waiters from members by
        that.
        """
        fd = os.open(self.path("lock"), os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | flags)
            return True
        except BlockingIOError:
            return False
        finally:
            os.close(fd)


def all_jobs(base: str) -> List[Job]:
    """Every job this host has not forgotten."""
    names = list_folder(os.path.join(base, "jobs"))
    return [Job(base, name) for name in names if ATTEMPT.match(name)]
