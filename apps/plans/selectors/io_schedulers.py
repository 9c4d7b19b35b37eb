"""The I/O schedulers that a plan begun at a disk or a pool compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apps.inventory.models import Disk, Pool
from apps.inventory.selectors.osd_hosts import OsdHost, pool_osd_hosts
from apps.tuning.schemas.settings import POOL


def schedulers_of(target: Disk | Pool) -> Sequence[str]:
    """The schedulers that the disk offers, or each disk behind the pool; none where benchlab does
    not reach all of these.
    """
    if isinstance(target, Disk):
        return target.known.queue.schedulers
    offered = [one for host in pool_osd_hosts(target) for one in _offered(host)]
    return [name for name in offered[0] if all(name in one for one in offered)] if offered else ()


def where_of(target: Disk | Pool) -> str:
    """The place at which a scheduler applies, as a setting names it; "" for the disk under test."""
    return POOL if isinstance(target, Pool) else ""


def _offered(behind: OsdHost) -> Iterable[Sequence[str]]:
    """The schedulers of each device of the OSDs; none of one that the host's facts do not have."""
    known = behind.host.known.disks if behind.host else None
    found = {(disk.node or "").rpartition("/")[2]: disk.queue.schedulers for disk in known or ()}
    for device in behind.devices or [""]:
        yield found.get(device, ())
