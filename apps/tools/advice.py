"""Advice on parameters whose measurement would mislead.

Plain Python. Advice never refuses a test: a plan shows it with its reason and a value that follows
it, and a run stores what was not taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from .targets import TargetKind
from .values import RawValue

LONG_ENOUGH_SECONDS = 60
"""Shortest test whose mean a single stall of a few seconds does not decide."""
RAMP_SECONDS = 10
"""Ramp of IOMeter's standard tests: queues fill, and clocks and caches settle."""


@dataclass(frozen=True)
class TestedTarget:
    """Facts about a target that decide whether a measurement is useful; None if unknown.

    `size_bytes`: of the smallest disk. `memory_bytes`: of the host. `link_bits_per_second`: of the
    fastest network card of the slower end. `cache_bytes`: of the largest controller. `server`: the
    server that stores a directory, empty for a local one; `server_memory_bytes`: of its host.
    """

    __test__ = False  # no class of tests

    kind: TargetKind
    size_bytes: int | None = None
    memory_bytes: int | None = None
    is_rotational: bool | None = None
    link_bits_per_second: float | None = None
    cache_bytes: int | None = None
    server: str = ""
    server_memory_bytes: int | None = None


@dataclass(frozen=True)
class ParamAdvice:
    """A parameter that misleads, why, and the value that does not.

    `value` None unsets the parameter. `text` and `reason` are messages.
    """

    name: str
    value: RawValue | None
    text: str
    reason: str
