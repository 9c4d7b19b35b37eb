"""An attempt as its host describes it, with its files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from .answers import (
    MOST_BYTES,
    MOST_FILES,
    STATES,
    Exit,
    FileName,
    Loan,
    Refusal,
    Size,
    State,
    Survivor,
    moment_of,
)
from .boundary import as_it_came, typed

T = TypeVar("T")


@dataclass(frozen=True)
class HostFile:
    """One output file: its size in bytes, and its SHA-256 once nobody can write it any more."""

    name: FileName
    size: Size
    sha256: str | None = None


@dataclass(frozen=True)
class Status:
    """An attempt as its host knows it. `forgotten`: its id was used before and can never start
    again. `why`: of a lost attempt, the end of a sentence. `listening`: every port the running
    command was to listen on is listened on. `brought`: the files that came along, whole.
    `survivors` of a cancelled attempt: none prove that nothing runs.
    """

    attempt: str
    state: State
    phase: str | None = None
    exit: Exit | None = None
    refused: Refusal | None = None
    loan: Loan | None = None
    argv: list[list[str]] | None = None
    boot_id: str | None = None
    why: str | None = None
    files: tuple[HostFile, ...] = ()
    forgotten: bool = False
    listening: bool = False
    survivors: tuple[Survivor, ...] = ()
    bad: str = ""
    brought: Mapping[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    @property
    def ended(self) -> bool:
        """Nothing of it runs and nothing of it will."""
        return self.state in ("done", "refused", "lost")

    def file(self, name: str) -> HostFile | None:
        """The output file of that name."""
        return next((file for file in self.files if file.name == name), None)


@dataclass(frozen=True)
class FilePiece:
    """Bytes of one of the job's files, from `offset` on."""

    file: str
    offset: int
    data: bytes


class Sink(Protocol):
    """Takes a file's bytes, piece by piece, in a thread."""

    def write(self, data: bytes, /) -> None:
        """The next bytes."""


def read_status(attempt: str, data: Mapping[str, object]) -> Status:
    """A `status` answer with types. Raises ValueError for a state this benchlab does not know; what
    else cannot be is left out and named in `bad`.
    """
    state = data.get("state")
    known = next((one for one in STATES if one == state), None)
    if known is None:
        raise ValueError(f"unknown state {str(state)[:40]!r}")
    faults: list[str] = []

    def part(name: str, kind: type[T]) -> T | None:
        """It as it came, with what the type does not name; None where it is of another type."""
        value = data.get(name)
        try:
            return None if value is None else as_it_came(value, kind, name)
        except ValueError as error:
            faults.append(str(error))
            return None

    ended = part("exit", Exit)
    if ended is not None and (fault := _times_fault(ended)):
        faults.append(fault)
    files: tuple[HostFile, ...] = ()
    status = Status(
        attempt=attempt,
        state=known,
        phase=part("phase", str),
        exit=ended,
        refused=part("refused", Refusal),
        loan=part("loan", Loan),
        argv=part("argv", list[list[str]]),
        boot_id=part("boot_id", str),
        why=part("why", str),
        forgotten=data.get("forgotten") is True,
        listening=data.get("listening") is True,
    )
    try:
        files = _files(data.get("files") or [])
    except ValueError as error:
        faults.append(str(error))
    return replace(status, files=files, bad="; ".join(faults))


def brought_files(status: Status, payload: bytes) -> dict[str, bytes]:
    """The files that came along; without those that are not what was said of them: whoever reads
    them one by one hears what is wrong.
    """
    files: dict[str, bytes] = {}
    begin = 0
    for file in status.files:
        data, begin = payload[begin : begin + file.size], begin + file.size
        if len(data) == file.size and hashlib.sha256(data).hexdigest() == file.sha256:
            files[file.name] = data
    return files


def _times_fault(ended: Exit) -> str:
    """The fault in the times of an exit; empty where there is none. The monotonic clock of a host
    never goes back."""
    times = ended.get("times") or []
    whole = moment_of(ended, "started", "monotonic"), moment_of(ended, "ended", "monotonic")
    if any(b is not None and e is not None and e < b for b, e in (*times, whole)):
        return "exit: it ended before it started"
    return ""


def _files(told: object) -> tuple[HostFile, ...]:
    if isinstance(told, list) and len(told) > MOST_FILES:
        raise ValueError(f"files: {len(told)} of them, {MOST_FILES} are allowed")
    files = tuple(typed(told, list[HostFile], "files"))
    total = sum(file.size for file in files)
    if total > MOST_BYTES:
        raise ValueError(f"files: {total} bytes of output, {MOST_BYTES} are allowed")
    if len({file.name for file in files}) < len(files):
        raise ValueError("files: a name twice")
    return files
