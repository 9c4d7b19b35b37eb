"""Model of random operations of a spinning disk: seek, rotation, transfer.

A single operation takes the mean seek, half a turn and its transfer: 1000 / (7 + 3 + 0.8 ms) are
92.6 operations a second. Two effects shorten the seek:

- Less address space. Within a share f of the disk the arm travels a share f of the distance. A
  short seek, which accelerates half of its way, takes the square root of its distance (Ruemmler and
  Wilkes, An Introduction to Disk Drive Modeling, IEEE Computer 27(3), 1994).
- More operations in flight. Served in the order of their addresses, N operations lie 1 / (N + 1) of
  the way apart (Teorey and Pinkerton, A Comparative Analysis of Disk Scheduling Policies, CACM
  15(3), 1972). Two consecutive single operations lie a third of the way apart.

Rotation is constant: drives that also order by angle are faster than this model at large depths.
"""

from __future__ import annotations

from math import sqrt

MEAN_DISTANCE = 1 / 3
"""Mean distance between two random addresses, as a share of the way."""


def random_iops(
    seek_ms: float,
    rotation_ms: float,
    transfer_ms: float = 0.0,
    *,
    depth: float = 1,
    share: float = 1.0,
) -> float:
    """Return the random operations per second of one arm.

    `seek_ms`: mean over the whole disk; `depth`: operations in flight; `share`: of the disk's
    addresses, 0 to 1.

    Raises: ValueError if the times are not above zero.
    """
    distance = min(1.0, 1 / (max(depth, 1) + 1) / MEAN_DISTANCE) * min(max(share, 0.0), 1.0)
    total = seek_ms * sqrt(distance) + rotation_ms + transfer_ms
    if total <= 0:
        raise ValueError("A disk needs some time for each operation.")
    return 1000.0 / total
