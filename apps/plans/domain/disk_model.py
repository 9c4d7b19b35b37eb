"""Random IOPS by the disk model: its times, the queue depth and the address space."""

from __future__ import annotations

from math import prod

from apps.inventory.schemas.specifications import Specification
from apps.tools.devices.disk_model import random_iops
from apps.tools.registry import accesses_at_random, is_concurrency, role_of
from apps.tools.values import Parameters


def model_iops(
    figures: Specification, tool: str, params: Parameters, *, size: int | None
) -> float | None:
    """Return the random IOPS of a rotational disk under a workload.

    None if one of its times is unknown or the workload is not random.
    """
    seek, rotation = figures.seek_ms, figures.rotation_ms
    if seek is None or rotation is None or not accesses_at_random(tool, params):
        return None
    return random_iops(
        seek,
        rotation,
        figures.transfer_ms or 0.0,
        depth=depth_of(tool, params),
        share=share_of(tool, params, size),
    )


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
