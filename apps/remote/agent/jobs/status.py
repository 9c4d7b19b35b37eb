"""The verbs `status` and `wait`. The state follows from lock, exit file and boot id alone."""

import hashlib
import os
import re
import stat
import tempfile
from typing import List, Optional, Tuple

from ..errors import FolderError
from ..files import list_folder, write_all
from ..host.identity import boot_id
from ..processes.job_folder import AGENT_FILES, Job
from ..schema import JobStatus, OutputFile, Request, Response
from ..validators import whole_number
from .ports import is_listening

FINAL_FILE_BYTES = 64 << 10  # of the last files of a job
ERROR_NAME = re.compile(r"^[\w.]+: ")


def status(base: str, request: Request) -> Response:
    """Run the verb: return the job's status. `renew` renews its lease."""
    job = Job(base, request["attempt"])
    if request.get("renew") and job.exists():
        job.touch_contact()
    return describe(job)


def wait(base: str, request: Request) -> Tuple[Response, bytes]:
    """Run the verb: return the status when the last process has ended; at once for an unknown job.

    If the files have at most `max_bytes` in total, they are the payload, one after another.
    """
    job = Job(base, request["attempt"])
    try:
        job.wait_free()
    except FileNotFoundError:
        pass  # never launched, or deleted
    result = describe(job)
    max_bytes = whole_number(request.get("max_bytes", 0), "max_bytes")
    if (
        result["state"] != "done"
        or not 0 < sum(file["size"] for file in result["files"]) <= max_bytes
    ):
        return result, b""
    try:
        return dict(result, files_included=True), b"".join(
            read_whole(job, one) for one in result["files"]
        )
    except OSError:
        return result, b""  # reading them one by one reports the error


def read_whole(job: Job, file: OutputFile) -> bytes:
    """Return a file's bytes, as many as its entry says. Raises: OSError."""
    with open(job.path(file["name"]), "rb") as opened:
        return opened.read(file["size"])


def describe(job: Job) -> JobStatus:
    """Return the fields of `status`. An `absent` job with `deleted` had its id used before."""
    try:
        free = job.is_free()
    except FileNotFoundError:
        return {"state": "absent", "deleted": os.path.exists(job.tombstone), "files": []}
    now = job_state(job, free)
    return {
        "state": now,
        "reason": lost_reason(job) if now == "lost" else None,
        "phase": job.text("phase"),
        "exit": job.json("exit.json"),
        "refused": job.json("refused.json"),
        "journal": job.json("tuning-journal.json"),
        "argv": job.json("argv.json"),
        "command": job.json("command"),
        "boot_id": job.text("boot_id"),
        "listening": not free and is_listening(job),
        "files": output_files(job, hashed=free),
    }


def job_state(job: Job, free: bool) -> str:
    """Return running, done, refused or lost."""
    if not free:
        return "running"
    if os.path.exists(job.path("exit.json")):
        return "done"
    if os.path.exists(job.path("refused.json")):
        return "refused"
    # A launch that was cut before its supervisor began, a killed supervisor, another boot: all
    # leave this.
    return "lost"


def lost_reason(job: Job) -> str:
    """Return why a job ended without its last file, as the end of a sentence."""
    if not same_boot(job):
        return "the host was restarted meanwhile"
    log_lines = (job.text("agent.log") or "").splitlines()
    if log_lines:
        return "the agent failed: " + ERROR_NAME.sub("", log_lines[-1]).rstrip(".")
    try:
        with tempfile.TemporaryFile(dir=job.folder) as probe:
            write_all(probe.fileno(), bytes(FINAL_FILE_BYTES))
    except OSError as error:
        return str(FolderError(job.base, error)).rstrip(".")
    return "another process ended them, or the kernel for lack of memory"


def same_boot(job: Job) -> bool:
    """Return True if the host was not restarted since the job began."""
    return job.text("boot_id") == boot_id()


def output_files(job: Job, hashed: bool) -> List[OutputFile]:
    """Return the tool's files with sizes in bytes, and SHA-256 once all writers have ended."""
    files = []
    for name in list_folder(job.folder):
        if name in AGENT_FILES or name.endswith(".tmp"):
            continue
        try:
            entry = file_entry(job.path(name), name, hashed)
        except OSError:
            continue
        if entry:
            files.append(entry)
    return files


def file_entry(path: str, name: str, hashed: bool) -> Optional[OutputFile]:
    """Return one regular file; None for a folder, link or socket."""
    state = os.lstat(path)
    if not stat.S_ISREG(state.st_mode):
        return None
    return {"name": name, "size": state.st_size, "sha256": file_hash(path) if hashed else None}


def file_hash(path: str) -> str:
    """Return the SHA-256 of a file."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            total.update(piece)
    return total.hexdigest()
