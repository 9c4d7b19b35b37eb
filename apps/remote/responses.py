"""Types of the agent's responses (docs: agent.md).

Structs for callers, dictionaries for stored documents.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from msgspec import Meta, Struct

from apps.remote.host_conditions import HostConditions
from apps.remote.host_settings import JournalSetting, ObservedSetting, ReportedSetting

from .job_spec import Fingerprint
from .response_values import Monotonic, Realtime, Size

JsonObject = dict[str, object]
"""An object of a response, stored unchanged; apps.inventory.schemas.host_facts parses the facts."""

State = Literal["absent", "running", "done", "refused", "lost"]
STATES: tuple[State, ...] = ("absent", "running", "done", "refused", "lost")

# Limits for the output files of one attempt. The agent ends a tool at a quarter of that (`limit`).
MAX_FILES = 500
MAX_OUTPUT_BYTES = 1 << 30
# Disks of one host, including loop and multipath devices.
MAX_DISKS = 4_096


class HostTimestamp(TypedDict):
    """One time on both clocks of a host, in seconds."""

    monotonic: Monotonic
    realtime: Realtime


class OutputSpan(TypedDict):
    """Byte range of one command in each stream: [begin, end)."""

    stdout: tuple[Size, Size]
    stderr: tuple[Size, Size]


class TuningResult(TypedDict, total=False):
    """The settings of a job by outcome.

    A non-empty `changed` makes the measurement invalid. `unavailable` has the reasons why a job
    runs untuned. `effective` includes the queue of every disk under test, also of an untuned job.
    """

    applied: list[ReportedSetting]
    changed: list[ReportedSetting]
    restored: list[ReportedSetting]
    conflicts: list[ReportedSetting]
    failed: list[ReportedSetting]
    unwritten: list[ReportedSetting]
    unavailable: list[str]
    effective: list[ObservedSetting]


TuningResultPart = Literal["applied", "changed", "restored", "conflicts", "failed"]


class JobRefusal(TypedDict, total=False):
    """refused.json: why no command was started.

    `fingerprints`: of the disks on which a file system was created before the refusal.
    """

    reasons: list[str]
    tuning: TuningResult | None
    fingerprints: list[Fingerprint | None] | None


class HeldStart(TypedDict):
    """Requested and actual start of a held job, in the host's monotonic seconds."""

    start_at: Monotonic
    started_at: Monotonic | None


class Exit(TypedDict, total=False):
    """exit.json: how the commands ended.

    `ran` (command numbers), `codes`, `signals` and `times` (monotonic seconds) have one entry for
    each started command; `clock_step` is in seconds. `node` and `identity_after` are lists for a
    spec with `targets`; `smart_before` and `smart` map disk identities to SMART data before and
    after the commands; `owner_limit`: why the host's owner ended it, "" if not.
    """

    ran: list[Size]
    codes: list[int | None]
    signals: list[str | None]
    parts: list[OutputSpan]
    times: list[tuple[Monotonic, Monotonic]]
    overdue: list[Size]
    started: HostTimestamp | None
    ended: HostTimestamp | None
    error: str | None
    cpus: list[list[str]]
    timed_out: bool
    over_limit: bool
    pool_full: bool
    owner_limit: str
    cancelled: bool
    clock_step: float
    held_start: HeldStart | None
    node: str | list[str] | None
    identity_after: str | list[str | None] | None
    fingerprints: list[Fingerprint | None] | None
    smart_before: dict[str, JsonObject]
    smart: dict[str, JsonObject]
    tuning: TuningResult | None
    conditions: HostConditions


def exit_timestamp(
    ended: Exit, which: Literal["started", "ended"], clock: Literal["monotonic", "realtime"]
) -> float | None:
    """Return the start or end of the commands in seconds on one clock of the host."""
    timestamp = ended.get(which)
    return timestamp.get(clock) if timestamp else None


TUNING_RESULT_PARTS: tuple[TuningResultPart, ...] = (
    "applied",
    "changed",
    "restored",
    "conflicts",
    "failed",
)


def reported_settings(ended: Exit, part: TuningResultPart) -> list[ReportedSetting]:
    """Return the settings of an exit with this outcome."""
    tuning = ended.get("tuning") or {}
    return list(tuning.get(part) or ())


class DiskFacts(TypedDict, total=False):
    """The facts of a disk that benchlab uses; all others are only displayed."""

    identity: str | None
    node: str | None
    size: Size | None
    queue: JsonObject | None
    hardware_queues: list[JsonObject] | None


class Facts(TypedDict, total=False):
    """The facts of a host. A failed item is null and listed in `errors`."""

    errors: dict[str, str]
    kernel: str | None
    distribution: str | None
    architecture: str | None
    hostname: str | None
    machine_id: str | None
    boot_id: str | None
    uptime: float | None
    cpu: JsonObject | None
    memory: Size | None
    nics: list[JsonObject] | None
    tools: JsonObject | None
    installers: list[str] | None
    disks: Annotated[list[DiskFacts], Meta(max_length=MAX_DISKS)] | None


class TuningJournal(TypedDict, total=False):
    """tuning-journal.json: the tuning journal as the agent wrote it."""

    state: str
    opened: HostTimestamp | None
    closed: HostTimestamp | None
    boot_id: str
    lease: float
    closed_because: str
    carry: str
    settings: list[JournalSetting]


class Survivor(TypedDict):
    """A process of a cancelled job that still runs."""

    pid: int
    state: str
    name: str


class PingResponse(Struct, frozen=True):
    """Response of `ping`. `free`: bytes available for jobs."""

    boot_id: str
    monotonic: Monotonic
    realtime: Realtime
    free: Size | None = None


class Ping(Struct, frozen=True):
    """Round trip time and clock offsets in seconds.

    Positive offsets: the host's clock is ahead. The uncertainty is half the round trip.
    """

    seconds: float
    clock_offset: float
    boot_id: str
    monotonic_offset: float
    free: int | None  # bytes available for jobs


class InspectResponse(Struct, frozen=True):
    """Response of `inspect`: the checks of a claim without a job.

    `node` is the present device path, `size` in bytes, `refusals` the reasons against a claim;
    `content` the reasons why the fingerprint is not the expected one.
    """

    node: str | None
    size: Size | None
    refusals: list[str]
    signatures: list[str]
    fingerprint: Fingerprint | None
    content: list[str]


class CancelResponse(Struct, frozen=True):
    """Response of `cancel` besides the job's status: no survivors prove that nothing runs."""

    survivors: list[Survivor]


class OpenJournal(Struct, frozen=True):
    """A journal with unrestored settings; `since` in seconds since 1970."""

    attempt: str
    since: Realtime | None
    reason: str
    settings: list[ReportedSetting]


class RestoreSettingsResponse(Struct, frozen=True):
    """Response of `restore_settings`: settings by outcome, and the journals that stay open.

    `conflicts`: settings that another process changed; their values are not touched. `busy`: jobs
    that still run.
    """

    restored: list[ReportedSetting]
    conflicts: list[ReportedSetting]
    failed: list[ReportedSetting]
    open: list[OpenJournal]
    busy: list[str]


class CleanupDirectoriesResponse(Struct, frozen=True):
    """Response of `cleanup_directories`: the number of removed entries."""

    removed: Size


class FactsResponse(Struct, frozen=True):
    """Response of `facts`: validated as Facts, stored whole."""

    facts: JsonObject


class InstallResponse(Struct, frozen=True):
    """Last response of `install`."""

    exit_code: int
