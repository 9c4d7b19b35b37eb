"""Waves of disks: all at once for fills, one for each bus at a time for measurements. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class DiskPosition:
    """A disk and what it shares with its neighbours. `bus`: None if the host does not know it."""

    id: int
    host: int
    bus: str | None
    bay: str = ""


def fill_sets(disks: Iterable[DiskPosition]) -> list[tuple[int, ...]]:
    """Return the disks of each host, which are filled together."""
    hosts: dict[int, list[int]] = defaultdict(list)
    for disk in disks:
        hosts[disk.host].append(disk.id)
    return [tuple(sorted(ids)) for _host, ids in sorted(hosts.items())]


def measure_sets(disks: Iterable[DiskPosition]) -> list[tuple[int, ...]]:
    """Return sets of disks of one host that are measured together, in the order of the waves.

    No set has two disks of one bus. Disks without a known bus may share any, so each is alone.
    """
    rows = sorted(disks, key=lambda disk: (disk.host, disk.bay, disk.id))
    waves: dict[tuple[int, int], list[int]] = defaultdict(list)
    used: dict[tuple[int, str], int] = defaultdict(int)
    for disk in rows:
        if disk.bus is not None:
            waves[used[disk.host, disk.bus], disk.host].append(disk.id)
            used[disk.host, disk.bus] += 1
    shared = dict.fromkeys((disk.host for disk in rows), 0)
    for host, _bus in used:
        shared[host] = max(shared[host], used[host, _bus])
    for disk in rows:
        if disk.bus is None:
            waves[shared[disk.host], disk.host] = [disk.id]
            shared[disk.host] += 1
    return [tuple(ids) for _key, ids in sorted(waves.items())]


def wave_count(sets: Iterable[tuple[int, ...]], hosts: dict[int, int]) -> int:
    """Return the waves of the busiest host; hosts work at the same time. `hosts`: by disk."""
    counts: dict[int, int] = defaultdict(int)
    for ids in sets:
        counts[hosts[ids[0]]] += 1
    return max(counts.values(), default=0)
