"""The state of a job: decided by lock, exit file and boot id alone."""

import hashlib
import os
import re
import stat
import tempfile
from typing import List, Optional, Tuple

from ..demands import whole_number
from ..errors import FolderError
from ..files import list_folder, write_all
from ..host.identity import boot_id
from ..shapes import Description, OutputFile, Reply, Request
from .job import OWN, Job
from .listening import is_listening

NEEDED = 64 << 10  # bytes that the last files of a job may take
ERROR_NAME = re.compile(r"^[\w.]+: ")


def status(base: str, request: Request) -> Reply:
    """The verb: the job as it is now. With `renew` its lease starts anew."""
    job = Job(base, request["attempt"])
    if request.get("renew") and job.exists():
        job.touch_contact()
    return describe(job)


def wait(base: str, request: Request) -> Tuple[Reply, bytes]:
    """The verb: the job as it is when its last process is gone; at once when there is no such
    job. Where its files have at most `most` bytes in all, they come along, one after another.
    """
    job = Job(base, request["attempt"])
    try:
        job.wait_free()
    except FileNotFoundError:
        pass  # never launched, or forgotten
    found = describe(job)
    most = whole_number(request.get("most", 0), "most")
    if found["state"] != "done" or not 0 < sum(file["size"] for file in found["files"]) <= most:
        return found, b""
    try:
        return dict(found, brought=True), b"".join(whole(job, one) for one in found["files"])
    except OSError:
        return found, b""  # whoever reads them one by one hears what is wrong


def whole(job: Job, file: OutputFile) -> bytes:
    """A file's bytes, as many as it was described with. Raises OSError."""
    with open(job.path(file["name"]), "rb") as opened:
        return opened.read(file["size"])


def describe(job: Job) -> Description:
    """Everything `status` answers. `absent` says with `forgotten` whether the id was used
    before.
    """
    try:
        free = job.is_free()
    except FileNotFoundError:
        return {"state": "absent", "forgotten": os.path.exists(job.tombstone), "files": []}
    now = state(job, free)
    return {
        "state": now,
        "why": why_lost(job) if now == "lost" else None,
        "phase": job.text("phase"),
        "exit": job.json("exit.json"),
        "refused": job.json("refused.json"),
        "loan": job.json("loan.json"),
        "argv": job.json("argv.json"),
        "boot_id": job.text("boot_id"),
        "listening": not free and is_listening(job),
        "files": output_files(job, hashed=free),
    }


def state(job: Job, free: bool) -> str:
    """running | done | refused | lost."""
    if not free:
        return "running"
    if os.path.exists(job.path("exit.json")):
        return "done"
    if os.path.exists(job.path("refused.json")):
        return "refused"
    # A launch that was cut before its supervisor began, a killed supervisor, another boot: all
    # leave this.
    return "lost"


def why_lost(job: Job) -> str:
    """The known reason why a job ended without its last file, as the end of a sentence."""
    if not same_boot(job):
        return "the host was restarted meanwhile"
    said = (job.text("agent.log") or "").splitlines()
    if said:
        return "the agent failed: " + ERROR_NAME.sub("", said[-1]).rstrip(".")
    try:
        with tempfile.TemporaryFile(dir=job.folder) as probe:
            write_all(probe.fileno(), bytes(NEEDED))
    except OSError as error:
        return str(FolderError(job.base, error)).rstrip(".")
    return "they were ended by somebody else, or by the kernel for lack of memory"


def same_boot(job: Job) -> bool:
    """Whether the host has not been restarted since the job began."""
    return job.text("boot_id") == boot_id()


def output_files(job: Job, hashed: bool) -> List[OutputFile]:
    """The tool's files with their sizes in bytes, and their SHA-256 when nobody can write them any
    more.
    """
    files = []
    for name in list_folder(job.folder):
        if name in OWN or name.endswith(".tmp"):
            continue
        try:
            entry = described_file(job.path(name), name, hashed)
        except OSError:
            continue
        if entry:
            files.append(entry)
    return files


def described_file(path: str, name: str, hashed: bool) -> Optional[OutputFile]:
    """One regular file; None for a folder, a link or a socket."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode):
        return None
    return {"name": name, "size": found.st_size, "sha256": digest(path) if hashed else None}


def digest(path: str) -> str:
    """SHA-256 of a file, read in pieces."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            total.update(piece)
    return total.hexdigest()
