"""Queueing model of a device: results of a sweep over the queue depth.

Response time is service time plus waiting time. With N operations in flight the throughput is at
most min(N / R, X), where R is the response time of one operation alone and X the maximum throughput
of the device. More depth helps up to N* = R x X and only adds waiting time beyond it (asymptotic
bounds: Lazowska, Zahorjan, Graham and Sevcik, Quantitative System Performance, 1984, chapter 5).
"""

from __future__ import annotations

from collections.abc import Sequence

# A point is saturated from this share of the best throughput on.
SATURATED_SHARE = 0.95
MIN_POINTS = 3


def knee(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the smallest x (depth, jobs, block size) with a throughput within 5 % of the best.

    `points`: (x, throughput), x ascending. None with fewer than three points, or if only the last
    one is that good: then the sweep ended before saturation.
    """
    if len(points) < MIN_POINTS:
        return None
    best = max(value for _x, value in points)
    saturated = [x for x, value in points if value >= SATURATED_SHARE * best]
    return saturated[0] if best > 0 and saturated[0] != points[-1][0] else None


def useful_depth(best_iops: float, alone_ns: float) -> float:
    """Return N* = R x X: operations in flight beyond which only the latency grows.

    `alone_ns`: mean latency in ns with the fewest operations in flight.
    """
    return best_iops * alone_ns / 1e9


def in_flight(iops: float, latency_ns: float) -> float:
    """Return the mean operations in flight by Little's law, N = X x R (mean latency in ns)."""
    return iops * latency_ns / 1e9
