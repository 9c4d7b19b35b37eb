"""I/O schedulers that a plan of the wizard compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apps.inventory.models import Disk, Pool
from apps.inventory.selectors.osd_hosts import OsdHost, pool_osd_hosts
from apps.tuning.schemas.settings import POOL


def schedulers_of(target: Disk | Pool) -> Sequence[str]:
    """Return the schedulers that the disk, or each disk of the pool's OSDs, offers.

    None if benchlab does not reach all OSD hosts.
    """
    if isinstance(target, Disk):
        return target.known.queue.schedulers
    offered = [one for host in pool_osd_hosts(target) for one in _offered(host)]
    return [name for name in offered[0] if all(name in one for one in offered)] if offered else ()


def where_of(target: Disk | Pool) -> str:
    """Return the scope of a scheduler setting; "" for the disk under test."""
    return POOL if isinstance(target, Pool) else ""


def _offered(behind: OsdHost) -> Iterable[Sequence[str]]:
    """Yield the schedulers of each device of the OSDs; none for a device without facts."""
    known = behind.host.known.disks if behind.host else None
    result = {(disk.node or "").rpartition("/")[2]: disk.queue.schedulers for disk in known or ()}
    for device in behind.devices or [""]:
        yield result.get(device, ())
