"""A job's folder: names, lock and phase.

The lock shows liveness: it is free if no process of the job is left.
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
# Seconds between tries to write a last file.
RETRY_DELAYS = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
# Files of the agent, never listed as the tool's output.
AGENT_FILES = frozenset(
    "lock spec.json boot_id phase argv.json tuning-journal.json refused.json exit.json".split()
    + "cancel command contact supervisor reserve start.json".split()
)


class Job:
    """The folder of one attempt in `<base>/jobs`."""

    def __init__(self, base: str, attempt: Any) -> None:
        if not isinstance(attempt, str) or not ATTEMPT.match(attempt):
            raise RequestError("{!r} is not an attempt id.".format(attempt))
        self.base = base
        self.attempt = attempt
        self.folder = os.path.join(base, "jobs", attempt)
        self.tombstone = os.path.join(base, "done", attempt)

    def path(self, name: str) -> str:
        """Return the path of a file in the job's folder."""
        return os.path.join(self.folder, name)

    def exists(self) -> bool:
        """Return True if the folder exists: the job was launched and not deleted."""
        return os.path.isdir(self.folder)

    def json(self, name: str) -> Optional[Any]:
        """Return a JSON file of the folder; None if it is absent."""
        return read_json(self.path(name))

    def text(self, name: str) -> Optional[str]:
        """Return a text file of the folder; None if it is absent."""
        return read_text(self.path(name))

    def write(self, name: str, value: Any, durable: bool = True) -> None:
        """Write a JSON file atomically. Raises: FolderError."""
        try:
            write_json(self.path(name), value, durable)
        except OSError as error:
            raise FolderError(self.base, error) from None

    def write_final(self, name: str, value: Any) -> None:
        """Write a required last file: frees the reserve and retries for half a minute.

        Raises: FolderError.
        """
        self.free_reserve()
        for pause in RETRY_DELAYS:
            try:
                return self.write(name, value)
            except FolderError as error:
                if error.errno == errno.EROFS:
                    raise
            time.sleep(pause)
        return self.write(name, value)

    def free_reserve(self) -> None:
        """Delete the file that reserves space for the last files."""
        with contextlib.suppress(OSError):
            os.unlink(self.path("reserve"))

    def set_phase(self, phase: str) -> None:
        """Write the phase, for display only; errors are ignored."""
        with contextlib.suppress(OSError):
            write_atomic(self.path("phase"), phase.encode(), durable=False)

    def touch_contact(self) -> bool:
        """Store the time of this contact (monotonic). Returns False if it cannot be written."""
        try:
            write_atomic(self.path("contact"), repr(time.monotonic()).encode(), durable=False)
        except OSError:
            return False
        return True

    def contact_age(self) -> float:
        """Return seconds since the last contact."""
        return time.monotonic() - float(self.text("contact") or 0.0)

    def is_free(self) -> bool:
        """Return True if no process of the job is left."""
        return self.take_shared_lock(fcntl.LOCK_NB)

    def wait_free(self) -> None:
        """Block until the last process with the inherited lock has ended."""
        self.take_shared_lock(0)

    def take_shared_lock(self, flags: int) -> bool:
        """Take and release the lock as a reader.

        Opens it read-only, by which `tree` distinguishes waiters from members.
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
    """Return every job on this host that was not deleted."""
    names = list_folder(os.path.join(base, "jobs"))
    return [Job(base, name) for name in names if ATTEMPT.match(name)]
