"""The verbs `read` and `follow`: read a job's files."""

import os
import stat
import time
from typing import Dict, Tuple

from ..errors import AbsentError, RequestError
from ..processes.job_folder import Job
from ..schema import Emit, Request, Response
from ..validators import string, whole_number
from .status import describe

MAX_READ_BYTES = 8 << 20
MAX_FOLLOW_BYTES = 1 << 60
PIECE_BYTES = 256 << 10
POLL_SECONDS = 0.25


def open_file(job: Job, name: str) -> int:
    """Open a regular file of the job's folder by name. Raises: AbsentError, RequestError."""
    if not isinstance(name, str) or not name or "/" in name or "\0" in name or name in (".", ".."):
        raise RequestError("{!r} is not a plain file name.".format(name))
    try:
        fd = os.open(job.path(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        raise AbsentError("Attempt {} has no file {}.".format(job.attempt, name)) from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise AbsentError("Attempt {} has no file {}.".format(job.attempt, name))
    return fd


def read(base: str, request: Request) -> Tuple[Response, bytes]:
    """Run the verb: return at most `length` bytes (8 MiB) from `offset`, and the present size."""
    fd = open_file(Job(base, request["attempt"]), string(request["file"], "file"))
    try:
        offset = whole_number(request.get("offset", 0), "offset")
        length = whole_number(request.get("length", MAX_READ_BYTES), "length")
        payload = os.pread(fd, min(length, MAX_READ_BYTES), offset)
        return {"size": os.fstat(fd).st_size}, payload
    finally:
        os.close(fd)


def follow(base: str, request: Request, emit: Emit) -> Response:
    """Run the verb: send new bytes of the files while the job runs, then its status.

    After `max_bytes` only the status is sent, which limits the bytes in flight.
    """
    job = Job(base, request["attempt"])
    left = whole_number(request.get("max_bytes", MAX_FOLLOW_BYTES), "max_bytes")
    requested = request["offsets"]
    if not isinstance(requested, dict):
        raise RequestError("offsets is not an object.")
    offsets = {str(name): whole_number(offset, "offset") for name, offset in requested.items()}
    while job.exists():
        # Before reading, so that no output before the end is missed.
        try:
            free = job.is_free()
        except FileNotFoundError:
            break
        before = left
        for name in sorted(offsets):
            left -= send_new_bytes(job, name, offsets, emit, left)
        if free or left <= 0:
            break
        if left == before:
            time.sleep(POLL_SECONDS)
    return describe(job)


def send_new_bytes(job: Job, name: str, offsets: Dict[str, int], emit: Emit, limit: int) -> int:
    """Send at most `limit` bytes of a file beyond its offset; return their number."""
    try:
        fd = open_file(job, name)
    except AbsentError:
        return 0
    begin = offsets[name]
    try:
        while True:
            sent = offsets[name] - begin
            piece = os.pread(fd, min(PIECE_BYTES, limit - sent), offsets[name])
            if not piece:
                return sent
            emit({"file": name, "offset": offsets[name]}, piece)
            offsets[name] += len(piece)
    finally:
        os.close(fd)
