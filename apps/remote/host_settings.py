"""Types of settings in requests, responses and the tuning journal (docs: agent.md, "Settings")."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class SettingSpec(TypedDict):
    """A setting to apply.

    `identity`: of a disk, a section of Ceph's configuration, daemons of Ceph ("osds:0,3",
    "mons:a", "mdss:x"), or "" for the host. `restart`: the command that restarts the daemon of a
    ceph.conf option, empty for its systemd unit.
    """

    kind: str
    identity: str
    name: str
    value: str
    restart: NotRequired[list[str]]


class ReportedSetting(TypedDict, total=False):
    """A setting in a response: the value read (`value` or `actual`), `expected` and `original`.

    `reason`: why it could not be restored. `attempt`: the job that applied it.
    """

    attempt: str
    kind: str
    identity: str
    name: str
    value: str | None
    actual: str | None
    expected: str | None
    original: str | None
    reason: str | None


class ObservedSetting(TypedDict, total=False):
    """A setting as read before, during (`value`) and after a measurement.

    `requested` is None if the tuning profile does not set it.
    """

    kind: str
    identity: str
    name: str
    requested: str | None
    before: str | None
    value: str | None
    after: str | None


Step = Literal["planned", "pending", "applied"]
Outcome = Literal["restored", "conflict", "failed", "gone"]


class Restart(TypedDict):
    """How an option takes effect: the ceph.conf of the daemon and the commands that restart it."""

    fsid: str
    file: str
    commands: list[list[str]]


class JournalSetting(TypedDict):
    """A line of the tuning journal.

    `value` is None for a setting that only another one may change; `last_value` is the value last
    read. `uuid` and `mount_point` belong to a file system.
    """

    kind: str
    identity: str
    name: str
    original: str
    value: str | None
    step: Step
    last_value: NotRequired[str | None]
    outcome: NotRequired[Outcome]
    restart: NotRequired[Restart]
    uuid: NotRequired[str]
    mount_point: NotRequired[str]
