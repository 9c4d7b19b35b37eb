"""Latest results in the list of disks."""

from __future__ import annotations

from collections.abc import Sequence

from apps.inventory.models import Disk
from apps.results.selectors.latest import latest_of


def disk_list_context(disks: Sequence[Disk]) -> dict[str, object]:
    """Return the latest results of the listed disks by target id."""
    return {"latest": latest_of(disk.target_id for disk in disks if disk.target_id is not None)}
