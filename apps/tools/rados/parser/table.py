"""The table of a run over time: row n is the second that ended n seconds after the start; second 0
is the start itself.
"""

from __future__ import annotations

import math
from itertools import pairwise

from apps.tools.parse_result import Series

from .run import MIB, NS, SecondRow

# rados prints a second a few ms late; a power of two is two times the next.
_LATE = 0.005
BEGIN = SecondRow(0, 0, None, None, None)


def series(rows: list[SecondRow]) -> tuple[Series, ...]:
    """Bandwidth (bytes/s), IOPS and mean latency (ns) of each second."""
    seconds = [row for row in rows if row.second > 0]
    if not seconds:
        return ()
    first = seconds[0].second
    bandwidth: list[float | None] = [None] * (seconds[-1].second - first + 1)
    iops, latency = list(bandwidth), list(bandwidth)
    for row in seconds:
        bandwidth[row.second - first] = None if row.current is None else row.current * MIB
    for before, row in pairwise([BEGIN, *rows]):
        gap = row.second - before.second
        # A table that begins in the middle says nothing of its first second.
        if gap and (before is not BEGIN or gap == 1):
            iops[row.second - first] = max(0, row.finished - before.finished) / gap
            latency[row.second - first] = latency_between(before, row)
    found = {"bandwidth": bandwidth, "iops": iops, "latency_mean": latency}
    known = {name: values for name, values in found.items() if any(v is not None for v in values)}
    return tuple(Series(name, tuple(v), float(first - 1)) for name, v in known.items())


def latency_between(before: SecondRow, row: SecondRow) -> float | None:
    """Mean latency (ns) of what finished between two rows: rados prints the mean so far, with six
    digits, so it is the difference of two sums. None where nothing finished, or the digits do not
    do.
    """
    finished = row.finished - before.finished
    if finished <= 0 or row.latency is None:
        return None
    seconds = row.latency * row.finished - (before.latency or 0.0) * before.finished
    return round(seconds / finished * NS, 3) if seconds > 0 else None


def block_of(rows: list[SecondRow]) -> int | None:
    """Bytes of an operation, where a power of two explains the mean rate of the last second; else
    None. The table's clock starts late by what row 0 has finished.
    """
    first, last = rows[0], rows[-1]
    if not last.average or not last.finished:
        return None
    size = last.average * MIB * last.second / last.finished
    power = 1 << max(0, round(math.log2(size))) if size >= 1 else 0
    late = first.finished * power / (first.average * MIB) if first.average else 0.0
    size *= (last.second + late * (first.second == 0)) / last.second
    return power if abs(size - power) <= power * _LATE else None
