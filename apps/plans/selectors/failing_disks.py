"""Read the disk that a disturbance takes from its md array."""

from __future__ import annotations

from collections.abc import Sequence

from apps.inventory.models import Disk
from apps.plans.schemas.disturbance import MD_FAIL, Disturbance
from apps.plans.schemas.targets import FailingDisk, PlannedTarget


def failing_disk(wanted: Disturbance, targets: Sequence[PlannedTarget]) -> FailingDisk | None:
    """Return the disk on the host of the only target; None if the host does not have it."""
    if wanted.kind != MD_FAIL or len(targets) != 1:
        return None
    disk = member_disk(targets[0].host_id, wanted.member)
    if disk is None:
        return None
    arrays = tuple(name for name in disk.known.holders if name.startswith("md"))
    return FailingDisk(str(disk), disk.host_id, disk.is_enrolled, arrays)


def member_disk(host_id: int, identity: str) -> Disk | None:
    """Return a disk of a host that it had at the last check."""
    rows = Disk.objects.select_related("host").exclude(device_path="")
    return rows.filter(host=host_id, identity=identity).first()
