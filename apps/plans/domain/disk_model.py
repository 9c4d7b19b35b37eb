"""Random IOPS by the disk model: its times, the queue depth and the address space."""

from __future__ import annotations

from math import prod

from apps.inventory.schemas.backing_arrays import BackingArray
from apps.inventory.schemas.raid_levels import PENALTY
from apps.inventory.schemas.specifications import Specification
from apps.tools.devices.disk_model import random_iops
from apps.tools.registry import accesses_at_random, is_concurrency, role_of
from apps.tools.values import Parameters

_MIRRORS = ("raid1", "raid10")


def model_iops(
    figures: Specification,
    tool: str,
    params: Parameters,
    *,
    size: int | None,
    array: BackingArray | None = None,
) -> float | None:
    """Return the random IOPS of a rotational disk, or of an array of such disks.

    `array`: its disks share the operations, and a small write costs the level's penalty; its cache
    is not counted. None if one of the times is unknown, the workload is not random, or an array
    with a penalty reads and writes at once.
    """
    seek, rotation = figures.seek_ms, figures.rotation_ms
    if seek is None or rotation is None or not accesses_at_random(tool, params):
        return None
    disks = array.disks if array else 1
    penalty = _penalty(array, tool, params)
    if penalty is None:
        return None
    # A mirror writes its copies at once; parity is read, then written.
    at_once = penalty if array and array.level in _MIRRORS else max(1, penalty // 2)
    depth = depth_of(tool, params) * at_once
    one = random_iops(
        seek,
        rotation,
        figures.transfer_ms or 0.0,
        depth=max(1.0, depth / disks),
        share=share_of(tool, params, size),
    )
    return one * busy_disks(disks, depth) / penalty


def busy_disks(disks: int, depth: float) -> float:
    """Return the expected number of disks with at least one of `depth` random operations."""
    return float(disks * (1.0 - (1.0 - 1.0 / disks) ** depth))


def _penalty(array: BackingArray | None, tool: str, params: Parameters) -> int | None:
    """Return the disk operations of one operation; None if it is unknown."""
    penalty = PENALTY[array.level] if array else 1
    words = [str(v) for name, v in params.items() if role_of(tool, name) == "operation"]
    mode = words[0] if words else ""
    if penalty == 1 or (mode.endswith("read") and "write" not in mode):
        return 1
    return penalty if mode.endswith("write") and "read" not in mode else None


def depth_of(tool: str, params: Parameters) -> float:
    """Return the operations in flight: the product of the tool's depth parameters."""
    return prod(
        float(value)
        for name, value in params.items()
        if is_concurrency(tool, name) and isinstance(value, int | float) and value > 0
    )


def share_of(tool: str, params: Parameters, size: int | None) -> float:
    """Return the share of the disk's addresses that the workload uses; 1 by default."""
    sizes = [v for name, v in params.items() if role_of(tool, name) == "size"]
    space = next((value for value in sizes if isinstance(value, int | float)), None)
    return min(1.0, space / size) if space and size else 1.0
