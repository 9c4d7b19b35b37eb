"""Offsets of the hosts' monotonic clocks to the worker's own, so that they can start at one moment.

The offset of a clock is taken from the fastest of several round trips; half of that is how far it
may be wrong (Cristian, "Probabilistic clock synchronization", 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.remote.client import Client

PINGS = 8
# How far ahead the common moment lies: seconds at least, and so many of the slowest round trip.
LEAST_AHEAD = 0.5
ROUND_TRIPS_AHEAD = 4.0


@dataclass(frozen=True)
class Clock:
    """Seconds: the host's CLOCK_MONOTONIC minus the worker's, how uncertain that is, and how long
    the slowest answer took.
    """

    offset: float
    uncertainty: float
    slowest: float


async def clock_of(client: Client) -> Clock:
    """Ask a host a few times what time it is. Raises HostError."""
    pings = [await client.ping() for _ in range(PINGS)]
    best = min(pings, key=lambda ping: ping.seconds)
    slowest = max(ping.seconds for ping in pings)
    return Clock(best.monotonic_offset, best.seconds / 2, slowest)


def ahead(clocks: list[Clock]) -> float:
    """Seconds from now at which all can start: each has heard of it by then."""
    return max(LEAST_AHEAD, ROUND_TRIPS_AHEAD * max(clock.slowest for clock in clocks))
