"""Table of a run over time.

Row n is the second that ended n seconds after the start; second 0 is the start itself.
"""

from __future__ import annotations

import math
from itertools import pairwise

from apps.tools.parse_result import Series

from .run import MIB, NS, SecondRow

# rados prints a second a few ms late; neighbouring powers of two differ by a factor of 2.
_LATE = 0.005
BEGIN = SecondRow(0, 0, None, None, None)


def series(rows: list[SecondRow]) -> tuple[Series, ...]:
    """Return bandwidth (bytes/s), IOPS and mean latency (ns) of each second."""
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
        # The first second of a table without its start is unknown.
        if gap and (before is not BEGIN or gap == 1):
            iops[row.second - first] = max(0, row.finished - before.finished) / gap
            latency[row.second - first] = latency_between(before, row)
    columns = {"bandwidth": bandwidth, "iops": iops, "latency_mean": latency}
    nonempty = {
        name: values for name, values in columns.items() if any(v is not None for v in values)
    }
    return tuple(Series(name, tuple(v), float(first - 1)) for name, v in nonempty.items())


def latency_between(before: SecondRow, row: SecondRow) -> float | None:
    """Return the mean latency (ns) of the operations between two rows.

    rados prints the mean since the start with six digits, so this is the difference of two sums.
    None without operations, or if the digits are insufficient.
    """
    finished = row.finished - before.finished
    if finished <= 0 or row.latency is None:
        return None
    seconds = row.latency * row.finished - (before.latency or 0.0) * before.finished
    return round(seconds / finished * NS, 3) if seconds > 0 else None


def block_of(rows: list[SecondRow]) -> int | None:
    """Return the bytes of an operation if a power of two matches the mean rate of the last second.

    Otherwise None. The table's clock starts late by the operations finished in row 0.
    """
    first, last = rows[0], rows[-1]
    if not last.average or not last.finished:
        return None
    size = last.average * MIB * last.second / last.finished
    power = 1 << max(0, round(math.log2(size))) if size >= 1 else 0
    late = first.finished * power / (first.average * MIB) if first.average else 0.0
    size *= (last.second + late * (first.second == 0)) / last.second
    return power if abs(size - power) <= power * _LATE else None
