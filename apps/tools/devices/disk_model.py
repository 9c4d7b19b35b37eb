"""Random operations of a spinning disk: seek, rotation, transfer. Pure.

One operation alone takes the mean seek, half a turn and its transfer: 1000 / (7 + 3 + 0.8 ms) are
92.6 operations a second. Two things shorten the seek:

- Less address space. Within a share f of the disk the arm goes a share f as far, and a short seek,
  which accelerates half of its way, takes the square root of its distance (Ruemmler and Wilkes, An
  Introduction to Disk Drive Modeling, IEEE Computer 27(3), 1994).
- More operations in flight. Served in the order of their places, N of them lie 1 / (N + 1) of the
  way apart (Teorey and Pinkerton, A Comparative Analysis of Disk Scheduling Policies, CACM 15(3),
  1972), while two of one after another lie a third apart.

The rotation stays: drives that also order by angle do better than this at large depths.
"""

from __future__ import annotations

from math import sqrt

ALONE = 1 / 3
"""Distance of two places at random, as a share of the way."""


def random_iops(
    seek_ms: float,
    rotation_ms: float,
    transfer_ms: float = 0.0,
    *,
    depth: float = 1,
    share: float = 1.0,
) -> float:
    """Random operations per second of one arm. `seek_ms`: the mean over the whole disk; `depth`:
    operations in flight; `share`: of the disk's addresses, 0 to 1.

    Raises ValueError when the times are not above zero.
    """
    way = min(1.0, 1 / (max(depth, 1) + 1) / ALONE) * min(max(share, 0.0), 1.0)
    total = seek_ms * sqrt(way) + rotation_ms + transfer_ms
    if total <= 0:
        raise ValueError("A disk needs some time for each operation.")
    return 1000.0 / total
