"""Random IOPS of a test by a disk's model: its own times, the depth and the address space of the
workload.
"""

from __future__ import annotations

from math import prod

from apps.inventory.schemas.specifications import Specification
from apps.tools.devices.disk_model import random_iops
from apps.tools.registry import accesses_at_random, is_concurrency, role_of
from apps.tools.values import Parameters


def model_iops(
    figures: Specification, tool: str, params: Parameters, *, size: int | None
) -> float | None:
    """Random IOPS of a spinning disk under a workload; None where a time of it is not known or the
    test is not random.
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
    """Operations in flight: the product of what the tool keeps in flight."""
    return prod(
        float(value)
        for name, value in params.items()
        if is_concurrency(tool, name) and isinstance(value, int | float) and value > 0
    )


def share_of(tool: str, params: Parameters, size: int | None) -> float:
    """The share of the disk's addresses that the test goes to; all of it where nobody says."""
    asked = [v for name, v in params.items() if role_of(tool, name) == "size"]
    space = next((value for value in asked if isinstance(value, int | float)), None)
    return min(1.0, space / size) if space and size else 1.0
