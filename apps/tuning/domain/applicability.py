"""Settings of a tuning that can reach anything of a target at all, whatever its hosts are."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from apps.remote.agent.tuning.irq_names import OF_DISKS
from apps.tuning.schemas.settings import (
    CEPH_CONF,
    CPU,
    FILESYSTEM,
    POOL,
    QUEUE,
    SERVERS,
    Setting,
    Settings,
)

# Kinds that have disks of their hosts: directories by the file system they are on.
WITH_DISKS = frozenset({"disk", "directory"})
PAIR, DISK = "pair", "disk"


@dataclass(frozen=True)
class TuningScope:
    """A target as settings see it: the `kinds` of its parts, whether the tool can be told on which
    CPUs its threads run, whether it works in `files`, whether every host behind its pool is known
    and can be reached, and whether an admin allows that its cluster's OSDs are restarted.
    """

    kinds: Collection[str]
    pinned: bool = False
    behind: bool = False
    restarts: bool = False
    files: bool = False


def unreached(settings: Iterable[Setting], target: TuningScope) -> Settings:
    """The settings that no host of the target could lend."""
    return tuple(one for one in settings if not _is_reached(one, target))


def _is_reached(setting: Setting, target: TuningScope) -> bool:
    has_disks = set(target.kinds) <= WITH_DISKS
    if setting.kind == CEPH_CONF:
        return target.behind and target.restarts
    if setting.kind == FILESYSTEM:
        return set(target.kinds) == {DISK} and target.files
    if setting.scope == POOL:
        return target.behind
    if setting.scope == SERVERS:
        return set(target.kinds) == {PAIR}
    if setting.kind == QUEUE or setting.name == OF_DISKS:
        return has_disks
    return setting.kind != CPU or (has_disks and target.pinned)
