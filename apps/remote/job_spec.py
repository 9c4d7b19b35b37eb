"""The specification of a job (docs: agent.md, "spec").

Stored with a schema version before it is sent to the host, and read as long as the attempt exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from apps.remote.host_settings import SettingSpec

VERSION = 1


class BackingFile(TypedDict):
    """Attributes that distinguish the file of a loop device from another of the same name."""

    inode: int | str | None
    birth: int | str | None
    generation: int | str | None


class Fingerprint(TypedDict):
    """The content of a disk (docs: agent.md, "Fingerprints").

    `version`: of the algorithm. `blocks`: hashes of sampled blocks, None after an unfinished test.
    """

    version: int
    size: int
    blocks: str | None
    written: bool
    discarded: bool
    backing: BackingFile | None


class CommandSpec(TypedDict):
    """One process; as `tools.procedure.Command`.

    `repeat`: it starts again whenever it has succeeded, until the job is ended.
    """

    role: str
    argv: list[str]
    files: NotRequired[list[str]]
    always: NotRequired[bool]
    may_fail: NotRequired[bool]
    listens: NotRequired[str]
    seconds: NotRequired[float]
    fills: NotRequired[str]
    repeat: NotRequired[bool]


class DiskSpec(TypedDict):
    """A disk by identity, with its expected size in bytes.

    `needs`: bytes of files if a file system is created on it.
    """

    kind: Literal["disk"]
    identity: str
    size: int | None
    write: bool
    allow_signatures: NotRequired[bool]
    fingerprint: NotRequired[Fingerprint | None]
    needs: NotRequired[int]


class DirectorySpec(TypedDict):
    """A directory by its path, with the bytes it needs."""

    kind: Literal["directory"]
    path: str
    needs: int
    write: bool


TargetSpec = DiskSpec | DirectorySpec


class HoldSpec(TypedDict):
    """How long a ready job waits for its start."""

    seconds: float


class PowerSpec(TypedDict):
    """The power of the host is logged, after so many seconds without load."""

    idle_seconds: float


class PinSpec(TypedDict):
    """Number of threads per target that are pinned to one CPU each."""

    threads: int


class DisturbanceSpec(TypedDict):
    """A planned disturbance of a Ceph cluster or md array (docs: agent.md, "Disturbances").

    `command`: the index of the command it begins with. Times in seconds: `before` the act, `down`
    of a stopped OSD, `after` the cluster is clean; `timeout` of each wait for a clean cluster.
    `member`: the identity of a disk of an md array, empty for a cluster.
    `stop`, `start`: an admin's commands with {id}, empty for the systemd unit.
    """

    kind: str
    command: int
    fsid: str
    osd: int
    pool: str
    member: NotRequired[str]
    before: float
    down: float
    after: float
    timeout: float
    stop: list[str]
    start: list[str]


class JobSpec(TypedDict, total=False):
    """A job of one host: times in seconds, `limit` in bytes; either `target` or `targets`.

    `allow_untuned`: run without tuning if it cannot be applied.
    """

    version: int
    attempt: str
    commands: list[CommandSpec]
    target: TargetSpec | None
    targets: list[TargetSpec]
    tuning: list[SettingSpec]
    settle: float
    lease: float
    carry: str
    deadline: float
    watch: list[str]
    limit: int
    hold: HoldSpec
    pin: PinSpec
    power: PowerSpec
    ceph: bool
    allow_untuned: bool
    disturbance: DisturbanceSpec


def targets_of(spec: JobSpec) -> Sequence[TargetSpec]:
    """Return the disks and directories of a spec."""
    single = spec.get("target")
    return spec.get("targets") or ([single] if single else [])
