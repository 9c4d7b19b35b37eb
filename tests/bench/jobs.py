"""A job from launch to forgotten, as benchlab's worker drives it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.job_spec import DirectorySpec, JobSpec, TargetSpec
from apps.remote.pool import Sessions
from apps.remote.status import Status
from tests.bench.figure import CannotMeasure

LIMIT = 256 << 20


@asynccontextmanager
async def warm_client(spec: HostSpec) -> AsyncIterator[Client]:
    """A host whose session is open and whose agent is there."""
    sessions = Sessions()
    try:
        client = Client.of(sessions, "bench", spec)
        await client.ping()
        yield client
    finally:
        await sessions.close()


def job_spec(argv: Sequence[str], target: TargetSpec, *files: str) -> JobSpec:
    """A job as the execution app would ask for it, with an id of its own."""
    watch = [target["identity"]] if target["kind"] == "disk" else []
    return {
        "attempt": str(uuid.uuid4()),
        "commands": [{"role": "main", "argv": list(argv), "files": list(files)}],
        "target": target,
        "tuning": [],
        "settle": 0.0,
        "lease": 60.0,
        "deadline": 120.0,
        "watch": watch,
        "limit": LIMIT,
    }


def directory(path: str) -> DirectorySpec:
    """A target that is a directory the job may write to."""
    return {"kind": "directory", "path": path, "needs": 0, "write": True}


def require_success(status: Status) -> Status:
    """The status itself. Raises CannotMeasure when the job did not end with exit code 0."""
    codes = (status.exit or {}).get("codes")
    if status.state != "done" or codes != [0]:
        raise CannotMeasure(f"the job ended {status.state}, exit codes {codes}: {status.refused}")
    return status


class _Kept(bytearray):
    """A file's bytes in memory."""

    def write(self, data: bytes) -> None:
        self += data


async def files_of(client: Client, status: Status) -> dict[str, bytes]:
    """Every file of an ended job."""
    kept = {file.name: _Kept() for file in status.files}
    await client.read_files(status, kept)
    return {name: bytes(data) for name, data in kept.items()}
