"""Live samples of a running tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class LiveSample:
    """One interval of a running tool.

    - `seconds`: end of the interval after the start of the tool.
    - `operations`: {"read": {"iops": .., "bandwidth": .., "latency": ..}} (1/s, bytes/s, mean ns).
    """

    seconds: float
    operations: Mapping[str, Mapping[str, float]]


class Progress(Protocol):
    """Incremental parser of `Tool.live_file`. Chunks of bytes may end anywhere."""

    @property
    def held(self) -> int:
        """Return the number of bytes of an incomplete record in the buffer."""

    def feed(self, data: bytes) -> list[LiveSample]:
        """Return the samples that these bytes complete."""
