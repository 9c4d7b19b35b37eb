"""The agent's answers with types (docs: agent.md): structs where callers take them, dictionaries
where the document is kept as it came.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from msgspec import Meta, Struct

from .job_spec import Fingerprint
from .settings import JournalSetting, SeenSetting, ToldSetting

Told = dict[str, object]
"""An object of an answer that is kept as it is; apps.inventory.schemas.host_facts looks into it."""

State = Literal["absent", "running", "done", "refused", "lost"]
STATES: tuple[State, ...] = ("absent", "running", "done", "refused", "lost")


# Seconds since 1970 up to the year 9999, and of a clock that began with the machine.
Realtime = Annotated[float, Meta(ge=0, le=253_402_300_799)]
Monotonic = Annotated[float, Meta(ge=0, le=1e12)]
Size = Annotated[int, Meta(ge=0, le=2**62)]
# No path: a name in the job's folder.
FileName = Annotated[str, Meta(pattern=r"\A[^/\x00-\x1f]{1,80}\Z")]
# An attempt's output files: how many and how many bytes of them a host may claim to have. The agent
# ends a tool at a quarter of that (`limit`).
MOST_FILES = 500
MOST_BYTES = 1 << 30
MOST_OSDS = 20_000
# Disks of one host, loop and multipath devices among them.
MOST_DISKS = 4_096


class Moment(TypedDict):
    """One moment on both of the host's clocks, in seconds."""

    monotonic: Monotonic
    realtime: Realtime


class OutputSpan(TypedDict):
    """The bytes of each stream that are one command's own: [begin, end)."""

    stdout: tuple[Size, Size]
    stderr: tuple[Size, Size]


class Tuned(TypedDict, total=False):
    """The settings around a measurement, by what became of them. A non-empty `changed` makes it
    invalid; `left_out` says why nothing was lent to a job that runs as found then. `in_force` has
    the queue of every disk under test, whether or not anything was lent.
    """

    applied: list[ToldSetting]
    changed: list[ToldSetting]
    restored: list[ToldSetting]
    conflicts: list[ToldSetting]
    failed: list[ToldSetting]
    unwritten: list[ToldSetting]
    left_out: list[str]
    in_force: list[SeenSetting]


TunedPart = Literal["applied", "changed", "restored", "conflicts", "failed"]


class Refusal(TypedDict, total=False):
    """refused.json: why nothing was started. `fingerprints`: of the disks on which a file system
    had been made before.
    """

    reasons: list[str]
    tuning: Tuned | None
    fingerprints: list[Fingerprint | None] | None


class Start(TypedDict):
    """When a held job was to start and did, in the host's monotonic seconds."""

    at: Monotonic
    started: Monotonic | None


class Exit(TypedDict, total=False):
    """exit.json: how the commands ended. `clock_step` in seconds; `ran` (the command's number),
    `codes`, `signals` and `times` (monotonic seconds) have one entry a command that was started.
    `node` and `identity_after` are lists for a spec with `targets`; `smart` has by
    its identity what each disk that took part said of its wear.
    """

    ran: list[Size]
    codes: list[int | None]
    signals: list[str | None]
    parts: list[OutputSpan]
    times: list[tuple[Monotonic, Monotonic]]
    given_up: list[Size]
    started: Moment | None
    ended: Moment | None
    error: str | None
    cpus: list[list[str]]
    timed_out: bool
    over_limit: bool
    pool_full: bool
    cancelled: bool
    clock_step: float
    released: Start | None
    node: str | list[str] | None
    identity_after: str | list[str | None] | None
    fingerprints: list[Fingerprint | None] | None
    smart: dict[str, Told]
    tuning: Tuned | None


def moment_of(
    ended: Exit, which: Literal["started", "ended"], clock: Literal["monotonic", "realtime"]
) -> float | None:
    """When a job's commands started or ended, on one of its host's clocks."""
    moment = ended.get(which)
    return moment.get(clock) if moment else None


TUNED_PARTS: tuple[TunedPart, ...] = ("applied", "changed", "restored", "conflicts", "failed")


def told_settings(ended: Exit, part: TunedPart) -> list[ToldSetting]:
    """The settings of an exit that this became of."""
    tuned = ended.get("tuning") or {}
    return list(tuned.get(part) or ())


class DiskFacts(TypedDict, total=False):
    """The facts of a disk that benchlab counts with; the rest is shown as it is."""

    identity: str | None
    node: str | None
    size: Size | None
    queue: Told | None
    hardware_queues: list[Told] | None


class Facts(TypedDict, total=False):
    """The same of a host. An item that failed is null and named in `errors`."""

    errors: dict[str, str]
    kernel: str | None
    distribution: str | None
    architecture: str | None
    hostname: str | None
    machine_id: str | None
    boot_id: str | None
    uptime: float | None
    cpu: Told | None
    memory: Size | None
    nics: list[Told] | None
    tools: Told | None
    installers: list[str] | None
    disks: Annotated[list[DiskFacts], Meta(max_length=MOST_DISKS)] | None


class Loan(TypedDict, total=False):
    """loan.json: the tuning journal as the agent wrote it; `why` it was closed."""

    state: str
    opened: Moment | None
    closed: Moment | None
    boot_id: str
    lease: float
    why: str
    settings: list[JournalSetting]


class Survivor(TypedDict):
    """A process that is left of a cancelled job."""

    pid: int
    state: str
    name: str


class ClusterOsd(TypedDict):
    """An OSD as its cluster tells of it: the name and addresses of its host, the kernel's names of
    its devices; `inside`: it takes part in keeping data.
    """

    id: Size
    host: Annotated[str, Meta(max_length=255)]
    addresses: Annotated[list[Annotated[str, Meta(max_length=45)]], Meta(max_length=16)]
    devices: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=64)]
    store: Annotated[str, Meta(max_length=32)]
    up: bool
    inside: bool


class ClusterAnswer(Struct, frozen=True):
    """The answer of `cluster`: the cluster's id or why there is none, its OSDs, and the options of
    theirs that need a restart.
    """

    fsid: str | None
    error: str
    osds: Annotated[list[ClusterOsd], Meta(max_length=MOST_OSDS)] = []
    restart: Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=2000)] = []


class PingAnswer(Struct, frozen=True):
    """The answer of `ping`: `free` bytes are left for the agent's jobs."""

    boot_id: str
    monotonic: Monotonic
    realtime: Realtime
    free: Size | None = None


class Ping(Struct, frozen=True):
    """Seconds a round trip took, and how far the host's clocks are ahead of ours (half the round
    trip uncertain): the one people set, and the monotonic one.
    """

    seconds: float
    clock_offset: float
    boot_id: str
    monotonic_offset: float
    free: int | None  # bytes left for the agent's jobs


class InspectAnswer(Struct, frozen=True):
    """The answer of `inspect`, the claim's checks without a run: today's node, the size in bytes,
    and every reason to refuse; the fingerprint of what is on it, and why that is not what was
    expected.
    """

    node: str | None
    size: Size | None
    refusals: list[str]
    signatures: list[str]
    fingerprint: Fingerprint | None
    content: list[str]


class CancelAnswer(Struct, frozen=True):
    """The answer of `cancel` beside the job's status: no survivors prove that nothing runs."""

    survivors: list[Survivor]


class OpenLoanAnswer(Struct, frozen=True):
    """A loan that could not be settled; `since` in seconds since 1970."""

    attempt: str
    since: Realtime | None
    why: str
    settings: list[ToldSetting]


class RecoverAnswer(Struct, frozen=True):
    """The answer of `recover`, loans given back after contact was lost: what was restored, what
    somebody else had changed, what failed, and the loans that are open all the same.
    """

    restored: list[ToldSetting]
    conflicts: list[ToldSetting]
    failed: list[ToldSetting]
    open: list[OpenLoanAnswer]


class TidyAnswer(Struct, frozen=True):
    """The answer of `tidy`: the number of removed entries."""

    removed: Size


class FactsAnswer(Struct, frozen=True):
    """The answer of `facts`: checked as Facts, kept whole."""

    facts: Told


class InstallAnswer(Struct, frozen=True):
    """The last answer of `install`."""

    exit_code: int
