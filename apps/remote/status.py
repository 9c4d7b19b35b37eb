"""Status of an attempt on its host, with its output files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from .decode import check_type, convert
from .response_values import FileName, Size
from .responses import (
    MAX_FILES,
    MAX_OUTPUT_BYTES,
    STATES,
    Exit,
    JobRefusal,
    State,
    Survivor,
    TuningJournal,
    exit_timestamp,
)

T = TypeVar("T")


@dataclass(frozen=True)
class HostFile:
    """One output file: size in bytes, and the SHA-256 after all writers have ended."""

    name: FileName
    size: Size
    sha256: str | None = None


@dataclass(frozen=True)
class Status:
    """Status of an attempt as reported by its host.

    `deleted`: the id was used before and cannot start again. `reason`: why an attempt was lost, as
    the end of a sentence. `command`: index of the command that was started last. `listening`: the
    running command listens on its port. `file_contents`: complete files sent with the status. No
    `survivors` of a cancelled attempt prove that nothing runs. `invalid` names the invalid parts of
    the response.
    """

    attempt: str
    state: State
    phase: str | None = None
    exit: Exit | None = None
    refused: JobRefusal | None = None
    journal: TuningJournal | None = None
    argv: list[list[str]] | None = None
    command: int | None = None
    boot_id: str | None = None
    reason: str | None = None
    files: tuple[HostFile, ...] = ()
    deleted: bool = False
    listening: bool = False
    survivors: tuple[Survivor, ...] = ()
    invalid: str = ""
    file_contents: Mapping[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    @property
    def ended(self) -> bool:
        """Return True if no process runs or will run."""
        return self.state in ("done", "refused", "lost")

    def file(self, name: str) -> HostFile | None:
        """Return the output file of that name."""
        return next((file for file in self.files if file.name == name), None)


@dataclass(frozen=True)
class FilePiece:
    """Bytes of one of the job's files, from `offset` on."""

    file: str
    offset: int
    data: bytes


class Sink(Protocol):
    """Receives the bytes of a file in pieces; called in a thread."""

    def write(self, data: bytes, /) -> None:
        """Write the next bytes."""


def read_status(attempt: str, data: Mapping[str, object]) -> Status:
    """Parse a `status` response. Invalid parts are omitted and named in `invalid`.

    Raises: ValueError for an unknown state.
    """
    state = data.get("state")
    valid_state = next((one for one in STATES if one == state), None)
    if valid_state is None:
        raise ValueError(f"unknown state {str(state)[:40]!r}")
    errors: list[str] = []

    def part(name: str, kind: type[T]) -> T | None:
        """Return a field with its unknown sub-fields; None if its type is wrong."""
        value = data.get(name)
        try:
            return None if value is None else check_type(value, kind, name)
        except ValueError as error:
            errors.append(str(error))
            return None

    ended = part("exit", Exit)
    if ended is not None and (error := _times_error(ended)):
        errors.append(error)
    files: tuple[HostFile, ...] = ()
    status = Status(
        attempt=attempt,
        state=valid_state,
        phase=part("phase", str),
        exit=ended,
        refused=part("refused", JobRefusal),
        journal=part("journal", TuningJournal),
        argv=part("argv", list[list[str]]),
        command=part("command", int),
        boot_id=part("boot_id", str),
        reason=part("reason", str),
        deleted=data.get("deleted") is True,
        listening=data.get("listening") is True,
    )
    try:
        files = _files(data.get("files") or [])
    except ValueError as error:
        errors.append(str(error))
    return replace(status, files=files, invalid="; ".join(errors))


def included_files(status: Status, payload: bytes) -> dict[str, bytes]:
    """Return the files in the payload whose size and hash match; omit the others.

    The caller reads omitted files one by one, which reports the error.
    """
    files: dict[str, bytes] = {}
    begin = 0
    for file in status.files:
        data, begin = payload[begin : begin + file.size], begin + file.size
        if len(data) == file.size and hashlib.sha256(data).hexdigest() == file.sha256:
            files[file.name] = data
    return files


def _times_error(ended: Exit) -> str:
    """Return the error in the times of an exit, "" if there is none.

    The monotonic clock of a host never goes back.
    """
    times = ended.get("times") or []
    whole = (
        exit_timestamp(ended, "started", "monotonic"),
        exit_timestamp(ended, "ended", "monotonic"),
    )
    if any(b is not None and e is not None and e < b for b, e in (*times, whole)):
        return "exit: it ended before it started"
    return ""


def _files(value: object) -> tuple[HostFile, ...]:
    if isinstance(value, list) and len(value) > MAX_FILES:
        raise ValueError(f"files: {len(value)} of them, {MAX_FILES} are allowed")
    files = tuple(convert(value, list[HostFile], "files"))
    total = sum(file.size for file in files)
    if total > MAX_OUTPUT_BYTES:
        raise ValueError(f"files: {total} bytes of output, {MAX_OUTPUT_BYTES} are allowed")
    if len({file.name for file in files}) < len(files):
        raise ValueError("files: a name twice")
    return files
