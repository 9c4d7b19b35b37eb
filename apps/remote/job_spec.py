"""The specification of a job, which an agent is asked to run (docs: agent.md, "spec").

It is stored before the host is asked anything, with the version of its shape, and read as long as
the attempt is kept. An agent takes the keys it knows; a job of version 0 did not name it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from .settings import LentSetting

VERSION = 1


class BackingFile(TypedDict):
    """Marks that tell the file of a loop device from another one of its name."""

    inode: int | str | None
    birth: int | str | None
    generation: int | str | None


class Fingerprint(TypedDict):
    """The content of a disk (docs: agent.md, "Fingerprints"): `version` is the agent's way of
    taking it, `blocks` hashes of samples, None after a test that did not get to its end.
    """

    version: int
    size: int
    blocks: str | None
    written: bool
    discarded: bool
    backing: BackingFile | None


class CommandSpec(TypedDict):
    """One process; as `tools.base.Command`."""

    role: str
    argv: list[str]
    files: NotRequired[list[str]]
    always: NotRequired[bool]
    may_fail: NotRequired[bool]
    listens: NotRequired[str]
    seconds: NotRequired[float]
    fills: NotRequired[str]


class DiskSpec(TypedDict):
    """A disk by its identity, with the size in bytes it must have; `needs`: bytes of files, where a
    file system is made on it.
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
    """For how long a job that is ready waits for its release."""

    seconds: float


class PinSpec(TypedDict):
    """The number of threads that are placed on CPUs of their own for each target."""

    threads: int


class JobSpec(TypedDict, total=False):
    """A job of one host: all times in seconds, `limit` in bytes. One target stands in `target`,
    several in `targets`. `as_found`: where the tuning cannot be applied, run without it.
    """

    version: int
    attempt: str
    commands: list[CommandSpec]
    target: TargetSpec | None
    targets: list[TargetSpec]
    tuning: list[LentSetting]
    settle: float
    lease: float
    deadline: float
    watch: list[str]
    limit: int
    hold: HoldSpec
    pin: PinSpec
    ceph: bool
    as_found: bool


def targets_of(spec: JobSpec) -> Sequence[TargetSpec]:
    """The disks and directories it names."""
    single = spec.get("target")
    return spec.get("targets") or ([single] if single else [])
