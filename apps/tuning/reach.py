"""Which of a tuning's settings can reach anything of a target at all, whatever its hosts are."""

from __future__ import annotations

from collections.abc import Iterable

from .contract import CPU, QUEUE, Setting, Settings

# What has disks of its hosts: directories by the file system they are on.
WITH_DISKS = frozenset({"disk", "directory"})


def unreached(settings: Iterable[Setting], kinds: Iterable[str], *, pinned: bool) -> Settings:
    """The settings that no host of a target with parts of these kinds could lend. `pinned`: the
    tool can be told on which CPUs its threads run.
    """
    has_disks = set(kinds) <= WITH_DISKS
    return tuple(one for one in settings if _is_unreached(one, has_disks, pinned))


def _is_unreached(setting: Setting, has_disks: bool, pinned: bool) -> bool:
    if setting.kind == QUEUE:
        return not has_disks
    if setting.kind == CPU:
        return not (has_disks and pinned)
    return False
