"""Settings on loan, as server and agent tell each other of them (docs: agent.md, "Tuning").

A setting is one thing from a tuning profile to the host; on its way it gains what a host knows of
it: for what it is lent, what it was before, what it is now, what became of it.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class LentSetting(TypedDict):
    """A setting for what it is lent for: a disk's identity, a section of Ceph's configuration, ""
    for the host as a whole. `restart`: the command that restarts the daemon of an option of its
    ceph.conf, empty for its systemd unit.
    """

    kind: str
    identity: str
    name: str
    value: str
    restart: NotRequired[list[str]]


class ToldSetting(TypedDict, total=False):
    """A setting as an agent tells it: `value` or `found` as it read it, `expected` what it should
    have been, `original` what it was before, `why` it failed. `attempt`: the job that lent it.
    """

    attempt: str
    kind: str
    identity: str
    name: str
    value: str | None
    found: str | None
    expected: str | None
    original: str | None
    why: str | None


class SeenSetting(TypedDict, total=False):
    """A setting before, during (`value`) and after a measurement, as it was read; `asked` is None
    for what nobody asked for.
    """

    kind: str
    identity: str
    name: str
    asked: str | None
    before: str | None
    value: str | None
    after: str | None


Step = Literal["planned", "pending", "applied"]
Outcome = Literal["restored", "conflict", "failed", "gone"]


class Restart(TypedDict):
    """The way an option gets to a daemon: by which file, and what restarts it then."""

    fsid: str
    file: str
    commands: list[list[str]]


class JournalSetting(TypedDict):
    """A line of loan.json. `value` is None for a setting that only may change along; `seen` what it
    was last found to be. `uuid` and `at` (where it is mounted) are of a file system.
    """

    kind: str
    identity: str
    name: str
    original: str
    value: str | None
    step: Step
    seen: NotRequired[str | None]
    outcome: NotRequired[Outcome]
    how: NotRequired[Restart]
    uuid: NotRequired[str]
    at: NotRequired[str]
