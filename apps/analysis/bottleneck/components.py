"""A test of an array or pool beside what its parts can do: the lowest ceiling is the bottleneck.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analysis.bottleneck.array_overhead import ArrayOverhead, Metric

LIMITED = 0.9
"""Share of a ceiling from which it is said to be reached: what repeats scatter and protocols take
lies within a tenth."""


@dataclass(frozen=True)
class Component:
    """A disk or a host's network: its own best figure, None where nobody measured it; `source`:
    the test it is from, or the link's speed.
    """

    name: str
    value: float | None = None
    source: str = ""
    case: int | None = None


@dataclass(frozen=True)
class BottleneckResult:
    """A measured test: the median of its repeats, with the disks and networks it used."""

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
        """The sum of all disks alone; None unless each was measured."""
        return _sum(self.disks)

    @cached_property
    def array(self) -> float | None:
        """The part of it that the level leaves."""
        if self.disks_sum is None:
            return None
        count = len(self.disks)
        return self.disks_sum * self.level.share(self.metric, writes=self.writes, disks=count)

    @cached_property
    def network(self) -> float | None:
        """The sum of the hosts' networks; None where one is not known."""
        return _sum(self.networks)

    @cached_property
    def ceiling(self) -> float | None:
        """The lowest of the known ceilings."""
        known = [value for value in (self.array, self.network) if value]
        return min(known) if known else None

    @property
    def share(self) -> float | None:
        """The measured part of the ceiling."""
        return self.value / self.ceiling if self.ceiling else None

    @property
    def bottleneck(self) -> str:
        """The lowest ceiling ("network", "array", "disks") where what was measured is near it;
        "other" where it is far below; empty where none is known, or it was passed and so is none.
        """
        if self.ceiling is None or self.share is None or self.share > 1 / LIMITED:
            return ""
        if self.share < LIMITED:
            return "other"
        if self.ceiling == self.network:
            return "network"
        return "array" if self.disks_sum is not None and self.ceiling < self.disks_sum else "disks"

    @property
    def missing(self) -> list[str]:
        """Disks and hosts without a figure of their own."""
        return [part.name for part in (*self.disks, *self.networks) if part.value is None]


def _sum(parts: Sequence[Component]) -> float | None:
    values = [part.value for part in parts]
    if not values or any(value is None for value in values):
        return None
    return sum(value for value in values if value is not None)
