"""The agent's answers with types (docs: agent.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

State = Literal["absent", "running", "done", "refused", "lost"]
STATES: tuple[State, ...] = ("absent", "running", "done", "refused", "lost")


class Moment(TypedDict):
    """One moment on both of the host's clocks, in seconds."""

    monotonic: float
    realtime: float


class Tuned(TypedDict):
    """What became of the settings around a measurement. A non-empty `changed` makes it invalid."""

    applied: list[Any]
    changed: list[Any]
    restored: list[Any]
    conflicts: list[Any]


class Start(TypedDict):
    """When a held job was to start and did, in the host's monotonic seconds."""

    at: float
    started: float | None


class Exit(TypedDict, total=False):
    """exit.json: how the commands ended. `clock_step` in seconds; `ran` (the command's number),
    `codes`, `signals` and `times` (monotonic seconds) have one entry a command that was started.
    `node` and `identity_after` are lists for a spec with `targets`.
    """

    ran: list[int]
    codes: list[int | None]
    signals: list[str | None]
    times: list[tuple[float, float]]
    given_up: list[int]
    started: Moment
    ended: Moment
    timed_out: bool
    over_limit: bool
    cancelled: bool
    clock_step: float
    released: Start | None
    node: str | list[str] | None
    identity_after: str | list[str | None] | None
    tuning: Tuned


# loan.json: the tuning journal as the agent wrote it, kept whole.
Loan = dict[str, Any]


@dataclass(frozen=True)
class File:
    """One output file: its size in bytes, and its SHA-256 once nobody can write it any more."""

    name: str
    size: int
    sha256: str | None


@dataclass(frozen=True)
class Status:
    """What the host knows of an attempt. `forgotten`: its id was used before and can never start
    again. `listening`: every port the running command was to listen on is listened on.
    """

    attempt: str
    state: State
    phase: str | None = None
    exit: Exit | None = None
    refused: Any = None
    loan: Loan | None = None
    argv: Any = None
    boot_id: str | None = None
    files: tuple[File, ...] = ()
    forgotten: bool = False
    listening: bool = False

    @property
    def ended(self) -> bool:
        """Nothing of it runs and nothing of it will."""
        return self.state in ("done", "refused", "lost")

    def file(self, name: str) -> File | None:
        """The output file of that name."""
        return next((file for file in self.files if file.name == name), None)


@dataclass(frozen=True)
class Piece:
    """Bytes of one of the job's files, from `offset` on."""

    file: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Ping:
    """Seconds a round trip took, and how far the host's clocks are ahead of ours (half the round
    trip uncertain): the one people set, and the monotonic one.
    """

    seconds: float
    clock_offset: float
    boot_id: str
    monotonic_offset: float = 0.0


@dataclass(frozen=True)
class Cancelled:
    """What is left of a cancelled job: an empty `survivors` proves that nothing is."""

    survivors: tuple[Any, ...]
    status: Status


@dataclass(frozen=True)
class Recovered:
    """Loans given back after contact was lost: what was restored, what somebody else had changed,
    what failed.
    """

    restored: tuple[Any, ...]
    conflicts: tuple[Any, ...]
    failed: tuple[Any, ...]


@dataclass(frozen=True)
class Inspection:
    """The claim's checks without a run: today's node, the size in bytes, and every reason to
    refuse.
    """

    node: str | None
    size: int | None
    refusals: tuple[str, ...]
    signatures: tuple[Any, ...]


def read_status(attempt: str, data: Mapping[str, Any]) -> Status:
    """A `status` answer with types. Raises ValueError for a state this benchlab does not know."""
    state = data.get("state")
    if state not in STATES:
        raise ValueError(f"unknown state {state!r}")
    return Status(
        attempt=attempt,
        state=state,
        files=tuple(
            File(entry["name"], entry["size"], entry.get("sha256"))
            for entry in data.get("files") or ()
        ),
        forgotten=bool(data.get("forgotten")),
        listening=bool(data.get("listening")),
        **{
            name: data.get(name) for name in ("phase", "exit", "refused", "loan", "argv", "boot_id")
        },
    )
