"""Applicability of settings to a kind of target, independent of its hosts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from apps.remote.agent.tuning.irq_names import OF_DISKS
from apps.tuning.schemas.settings import (
    CEPH_CONF,
    CPU,
    FILESYSTEM,
    OSD_SECTION,
    POOL,
    QUEUE,
    SERVERS,
    Setting,
    Settings,
)

# Kinds with disks of their hosts: directories have those of their file system.
WITH_DISKS = frozenset({"disk", "directory"})
PAIR, DISK = "pair", "disk"


@dataclass(frozen=True)
class TuningScope:
    """Properties of a target that determine which settings apply.

    - `kinds`: kinds of its members.
    - `pinned`: the tool accepts CPUs for its threads.
    - `has_osd_hosts`: all OSD hosts of its pool are known and reachable.
    - `restarts`: kinds of daemons behind its pool that an admin allows to restart, all of which
      benchlab reaches.
    - `files`: the tool works in files.
    """

    kinds: Collection[str]
    pinned: bool = False
    has_osd_hosts: bool = False
    restarts: Collection[str] = ()
    files: bool = False


def inapplicable_settings(settings: Iterable[Setting], target: TuningScope) -> Settings:
    """Return the settings that apply to no host of the target."""
    return tuple(one for one in settings if not _is_reached(one, target))


def _is_reached(setting: Setting, target: TuningScope) -> bool:
    has_disks = set(target.kinds) <= WITH_DISKS
    if setting.kind == CEPH_CONF:
        return (setting.section or OSD_SECTION) in target.restarts
    if setting.kind == FILESYSTEM:
        return set(target.kinds) == {DISK} and target.files
    if setting.scope == POOL:
        return target.has_osd_hosts
    if setting.scope == SERVERS:
        return set(target.kinds) == {PAIR}
    if setting.kind == QUEUE or setting.name == OF_DISKS:
        return has_disks
    return setting.kind != CPU or (has_disks and target.pinned)
