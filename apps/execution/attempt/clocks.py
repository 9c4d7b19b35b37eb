"""Offsets of the hosts' monotonic clocks to the worker's, for a common start.

The offset is measured with the fastest of several round trips; half of that is its uncertainty
(Cristian, "Probabilistic clock synchronization", 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.remote.client import Client

PINGS = 8
# Delay of the common start: minimum in seconds, and multiple of the slowest round trip.
MIN_AHEAD_SECONDS = 0.5
ROUND_TRIPS_AHEAD = 4.0


@dataclass(frozen=True)
class Clock:
    """The host's CLOCK_MONOTONIC minus the worker's, its uncertainty, and the slowest round trip.

    All in seconds.
    """

    offset: float
    uncertainty: float
    slowest: float


async def clock_of(client: Client) -> Clock:
    """Measure the clock of a host.

    Raises:
        HostError: contact was lost.
    """
    pings = [await client.ping() for _ in range(PINGS)]
    best = min(pings, key=lambda ping: ping.seconds)
    slowest = max(ping.seconds for ping in pings)
    return Clock(best.monotonic_offset, best.seconds / 2, slowest)


def ahead(clocks: list[Clock]) -> float:
    """Return the delay in seconds after which all hosts have received the start time."""
    return max(MIN_AHEAD_SECONDS, ROUND_TRIPS_AHEAD * max(clock.slowest for clock in clocks))
