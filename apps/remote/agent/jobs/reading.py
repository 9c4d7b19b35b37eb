"""Reading a job's files: a piece by offset, or everything as it grows."""

import os
import stat
import time
from typing import Dict, Tuple

from ..demands import named, whole_number
from ..errors import AbsentError, RequestError
from ..shapes import Emit, Reply, Request
from .job import Job
from .status import describe

LARGEST_PIECE = 8 << 20
LARGEST_FOLLOWED = 1 << 60
PIECE = 256 << 10
TICK = 0.25


def open_file(job: Job, name: str) -> int:
    """A regular file of the job's folder, by its plain name. Raises AbsentError or RequestError."""
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


def read(base: str, request: Request) -> Tuple[Reply, bytes]:
    """The verb: at most `length` bytes (and never more than 8 MiB) from `offset`, and the size
    now.
    """
    fd = open_file(Job(base, request["attempt"]), named(request["file"], "file"))
    try:
        offset = whole_number(request.get("offset", 0), "offset")
        length = whole_number(request.get("length", LARGEST_PIECE), "length")
        payload = os.pread(fd, min(length, LARGEST_PIECE), offset)
        return {"size": os.fstat(fd).st_size}, payload
    finally:
        os.close(fd)


def follow(base: str, request: Request, emit: Emit) -> Reply:
    """The verb: the files' new bytes while the job runs, the rest, then its status. After `most`
    bytes only the status: whoever asked has to take them before there are more.
    """
    job = Job(base, request["attempt"])
    left = whole_number(request.get("most", LARGEST_FOLLOWED), "most")
    asked = request["offsets"]
    if not isinstance(asked, dict):
        raise RequestError("offsets is not an object.")
    offsets = {str(name): whole_number(offset, "offset") for name, offset in asked.items()}
    while job.exists():
        # Asked before the files are read: what was written before the end is then never missed.
        try:
            free = job.is_free()
        except FileNotFoundError:
            break
        before = left
        for name in sorted(offsets):
            left -= drain(job, name, offsets, emit, left)
        if free or left <= 0:
            break
        if left == before:
            time.sleep(TICK)
    return describe(job)


def drain(job: Job, name: str, offsets: Dict[str, int], emit: Emit, most: int) -> int:
    """Send what a file has beyond its offset, `most` bytes of it; how many there were."""
    try:
        fd = open_file(job, name)
    except AbsentError:
        return 0
    begin = offsets[name]
    try:
        while True:
            sent = offsets[name] - begin
            piece = os.pread(fd, min(PIECE, most - sent), offsets[name])
            if not piece:
                return sent
            emit({"file": name, "offset": offsets[name]}, piece)
            offsets[name] += len(piece)
    finally:
        os.close(fd)
