"""The specified figures of a disk."""

from __future__ import annotations

import msgspec


class Specification(msgspec.Struct, frozen=True):
    """`sla_iops` in operations/s, `sla_bandwidth` in bytes/s, times in ms. None: not specified."""

    sla_iops: float | None = None
    sla_bandwidth: float | None = None
    seek_ms: float | None = None
    rotation_ms: float | None = None
    transfer_ms: float | None = None


FIGURES = Specification.__struct_fields__
