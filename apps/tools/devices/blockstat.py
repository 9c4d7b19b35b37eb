"""Device statistics of a run, as iostat reports them, from the kernel's counters.

The counters are those of /sys/block/<name>/stat (kernel Documentation/block/stat.rst). The formulas
are those of sysstat's iostat (iostat.c, compute_ext_disk_stats). Each figure is computed from the
difference of two samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from apps.tools.devices.log_lines import (
    LEAST_SECONDS,
    MOST_NAMES,
    log_entries,
    number,
    short_name,
    whole,
)
from apps.tools.parse_result import Series

SECTOR = 512
NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class Sample:
    """Kernel counters in file order, read `seconds` after the tool started."""

    seconds: float
    stat: tuple[int, ...]


def read_log(data: bytes) -> dict[str, list[Sample]]:
    """Return the samples of each device in a device.log, without an unfinished last line."""
    devices: dict[str, list[Sample]] = {}
    for entry in log_entries(data):
        try:
            name = short_name(entry["name"])
            sample = Sample(number(entry["t"]), tuple(map(whole, entry["stat"])))
        except (ValueError, KeyError, TypeError):
            continue
        if len(sample.stat) >= 11 and (name in devices or len(devices) < MOST_NAMES):
            devices.setdefault(name, []).append(sample)
    return devices


def figures(before: Sample, after: Sample) -> dict[str, float | None]:
    """Return the columns of `iostat -x` between two samples.

    Units: 1/s, bytes/s, ns, percent, requests. A value is None if there were no requests.
    """
    seconds = after.seconds - before.seconds
    if seconds < LEAST_SECONDS:
        return {}
    d = [b - a for a, b in zip(before.stat, after.stat, strict=False)]
    reads, writes, requests = d[0], d[4], d[0] + d[4]
    return {
        "reads": reads / seconds,
        "writes": writes / seconds,
        "read_bandwidth": d[2] * SECTOR / seconds,
        "write_bandwidth": d[6] * SECTOR / seconds,
        "read_await": d[3] / reads * NS_PER_MS if reads else None,
        "write_await": d[7] / writes * NS_PER_MS if writes else None,
        "request_size": (d[2] + d[6]) * SECTOR / requests if requests else None,
        "queue": d[10] / 1000 / seconds,
        "utilisation": min(100.0, d[9] / 10 / seconds),
    }


def device_series(samples: Iterable[Sample]) -> list[Series]:
    """Return the figures over time, one series per metric.

    Samples closer than half of the median interval are merged.
    """
    points = _spaced(list(samples))
    if len(points) < 2:
        return []
    rows = [figures(a, b) for a, b in pairwise(points)]
    start = points[0].seconds
    interval = (points[-1].seconds - start) / len(rows)
    names: Mapping[str, None] = dict.fromkeys(name for row in rows for name in row)
    return [Series(name, tuple(row.get(name) for row in rows), start, interval) for name in names]


def _spaced(samples: list[Sample]) -> list[Sample]:
    if len(samples) < 3:
        return samples
    gaps = sorted(b.seconds - a.seconds for a, b in pairwise(samples))
    min_gap = gaps[len(gaps) // 2] / 2
    spaced = [samples[0]]
    for sample in samples[1:-1]:
        if sample.seconds - spaced[-1].seconds >= min_gap:
            spaced.append(sample)
    if math.isclose(samples[-1].seconds, spaced[-1].seconds) or (
        len(spaced) > 1 and samples[-1].seconds - spaced[-1].seconds < min_gap
    ):
        spaced.pop()
    return [*spaced, samples[-1]]
