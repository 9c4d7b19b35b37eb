"""Storage as a queueing model: what a sweep of the queue depth says about a device. Pure.

Response time is service time plus waiting time. With N operations in flight the throughput is at
most min(N / R, X), where R is the response time of one operation alone and X the most the device
does: more depth helps up to N* = R x X and only waits beyond it (asymptotic bounds: Lazowska,
Zahorjan, Graham and Sevcik, Quantitative System Performance, 1984, chapter 5).
"""

from __future__ import annotations

from collections.abc import Sequence

# A point counts as "all the device does" from this share of the best one on.
SATURATED_SHARE = 0.95
MIN_POINTS = 3


def knee(points: Sequence[tuple[float, float]]) -> float | None:
    """The smallest x (depth, jobs, block size) whose throughput is within 5 % of the best.

    `points`: (x, throughput), x ascending. None with fewer than three points, or when only the last
    one is that good: then the end of the rise was not measured.
    """
    if len(points) < MIN_POINTS:
        return None
    best = max(value for _x, value in points)
    enough = [x for x, value in points if value >= SATURATED_SHARE * best]
    return enough[0] if best > 0 and enough[0] != points[-1][0] else None


def useful_depth(best_iops: float, alone_ns: float) -> float:
    """N* = R x X: operations in flight beyond which only the latency grows. `alone_ns`: the mean
    latency in ns with the least in flight.
    """
    return best_iops * alone_ns / 1e9


def in_flight(iops: float, latency_ns: float) -> float:
    """Operations in flight on average: Little's law, N = X x R (mean latency in ns)."""
    return iops * latency_ns / 1e9
