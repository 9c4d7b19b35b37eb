"""Which tests measure energy, and how long the host is idle before them.

Shorter tests have too few readings of a BMC, and the idle time would be a large part of them.
"""

from __future__ import annotations

ENERGY_MIN_SECONDS = 600
IDLE_SECONDS = 20.0


def idle_seconds(planned_seconds: float) -> float:
    """Return the seconds without load before a test so long; 0: its energy is not measured."""
    return IDLE_SECONDS if planned_seconds >= ENERGY_MIN_SECONDS else 0.0
