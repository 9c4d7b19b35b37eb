"""What a fault is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos.scene import Scene

Act = Callable[[Scene], None]
KEPT = frozenset({"succeeded"})
"""What dies or vanishes on our side costs no result."""
COSTS = frozenset({"succeeded", "failed"})
"""What a tool or a host loses may end a case; when nothing ran at that moment it costs nothing."""
LOSES = COSTS | {"lost"}
"""A host that restarts takes what ran on it along."""


def nothing(_scene: Scene) -> None:
    """No act."""


@dataclass(frozen=True)
class Fault:
    """`strike` it, wait between `shortest` and `longest` seconds, `mend` it. `ends`: the states in
    which a run may end that met it.
    """

    name: str
    strike: Act
    mend: Act = nothing
    ends: frozenset[str] = KEPT
    shortest: float = 0.0
    longest: float = 0.0
