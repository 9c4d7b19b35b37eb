"""Bottleneck of a test on an array or pool: the component with the lowest limit. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analysis.bottleneck.array_overhead import ArrayOverhead, Metric

LIMITED_SHARE = 0.9
"""Share of a limit from which the test counts as limited by it.

Repeats and protocol overhead vary by up to a tenth.
"""


@dataclass(frozen=True)
class Component:
    """Disk or network of a host with its best single result; `value` is None if not measured.

    `source`: the test of the value, or the link speed. `array`: the array of which a disk consists.
    """

    name: str
    value: float | None = None
    source: str = ""
    case: int | None = None
    array: str = ""


@dataclass(frozen=True)
class BottleneckResult:
    """Median of a test's repeats with the disks and networks that it used."""

    name: str
    case: int
    operation: str
    metric: Metric
    value: float
    writes: bool
    level: ArrayOverhead
    disks: Sequence[Component] = ()
    networks: Sequence[Component] = ()

    @cached_property
    def disks_sum(self) -> float | None:
        """Return the sum of all disks' single results; None unless each was measured."""
        return _sum(self.disks)

    @cached_property
    def array(self) -> float | None:
        """Return the part of `disks_sum` that the level leaves."""
        if self.disks_sum is None:
            return None
        count = len(self.disks)
        return self.disks_sum * self.level.share(self.metric, writes=self.writes, disks=count)

    @cached_property
    def network(self) -> float | None:
        """Return the sum of the hosts' networks; None if one is unknown."""
        return _sum(self.networks)

    @cached_property
    def ceiling(self) -> float | None:
        """Return the lowest known limit."""
        limits = [value for value in (self.array, self.network) if value]
        return min(limits) if limits else None

    @property
    def share(self) -> float | None:
        """Return the measured share of the limit."""
        return self.value / self.ceiling if self.ceiling else None

    @property
    def bottleneck(self) -> str:
        """Return the component with the lowest limit: "network", "array" or "disks".

        "other" if the result is below LIMITED_SHARE of the limit; empty if no limit is known or the
        result exceeds it.
        """
        if self.ceiling is None or self.share is None or self.share > 1 / LIMITED_SHARE:
            return ""
        if self.share < LIMITED_SHARE:
            return "other"
        if self.ceiling == self.network:
            return "network"
        return "array" if self.disks_sum is not None and self.ceiling < self.disks_sum else "disks"

    @property
    def missing(self) -> list[str]:
        """Return names of disks and hosts without a single result."""
        return [part.name for part in (*self.disks, *self.networks) if part.value is None]


def _sum(parts: Sequence[Component]) -> float | None:
    values = [part.value for part in parts]
    if not values or any(value is None for value in values):
        return None
    return sum(value for value in values if value is not None)
