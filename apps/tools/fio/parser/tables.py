"""Figures of a whole job: CPU time, tables of depths and latencies, disk statistics.

Several jobs are combined as in fio's group report (stat.c, sum_thread_stats): counts are added,
shares are weighted by their base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.tools.text import count, number
from apps.tools.values import Decoded, Values

from .direction import directions_of

LATENCIES = ("latency_ns", "latency_us", "latency_ms")
STEADY = "steadystate"
_CRITERIA = {
    name: f"{kind} {criterion}"
    for kind in ("iops", "bw", "lat")
    for name, criterion in ((kind, "mean dev"), (f"{kind}_slope", "slope"))
}
_MAX_CRITERION_LENGTH = 40
_TIMES = ("usr_cpu", "sys_cpu")
_COUNTERS = ("ctx", "majf", "minf")
_UNWEIGHTED = ("iodepth_submit", "iodepth_complete")
_TABLES = ("iodepth_level", *_UNWEIGHTED, *LATENCIES)
_MAX_ENTRIES = 64
_DISK_FIGURES = (
    *("read_ios", "write_ios", "read_merges", "write_merges"),
    *("read_ticks", "write_ticks", "in_queue", "util"),
)
MAX_DISKS = 64
MAX_TARGET_LENGTH = 200


@dataclass(frozen=True)
class Whole:
    """Figures of one job.

    `values`: by our names; `operations`: reads, writes and trims; `seconds`: run time. 0: unknown.
    """

    values: Values = field(default_factory=dict)
    operations: int = 0
    seconds: float = 0.0


def whole_of(job: Decoded) -> Whole:
    """Return the figures of a job in fio's document."""
    directions = directions_of(job).values()
    counters: Values = {
        name: value
        for name in (*_TIMES, *_COUNTERS)
        if (value := number(job.get(name))) is not None
    }
    return Whole(
        values=counters | _tables(job) | _steady(job),
        operations=sum(count(raw.get("total_ios")) for raw in directions),
        seconds=max((count(raw.get("runtime")) for raw in directions), default=0) / 1000,
    )


def _steady(job: Decoded) -> Values:
    """Return whether the job reached a steady state, and its criterion ("iops mean dev 4.443%")."""
    raw = job.get("steadystate")
    if not isinstance(raw, Mapping) or number(raw.get("attained")) is None:
        return {}
    result: Values = {"attained": bool(raw["attained"])}
    kind, value = str(raw.get("ss", "")).split(":")[0], raw.get("criterion")
    if kind in _CRITERIA and isinstance(value, str):
        result["criterion"] = f"{_CRITERIA[kind]} {value[:_MAX_CRITERION_LENGTH]}"
    return {STEADY: result}


def _all_steady(jobs: Sequence[Whole]) -> Values:
    """Return the steady state of jobs if all have one."""
    states = [state for job in jobs if isinstance(state := job.values.get(STEADY), Mapping)]
    if len(states) < len(jobs):
        return {}
    return {STEADY: {"attained": all(state.get("attained") for state in states)}}


def _tables(job: Decoded) -> Values:
    """Return the non-zero shares in percent."""
    tables: Values = {}
    for name in _TABLES:
        raw = job.get(name)
        # Most are zero and are skipped first.
        entries = raw.items() if isinstance(raw, Mapping) else ()
        shares = {key: share for key, share in entries if share and number(share)}
        if shares and len(shares) <= _MAX_ENTRIES:
            tables[name] = shares
    return tables


def combine(jobs: Sequence[Whole]) -> Values:
    """Return the combined figures of all jobs.

    Figures that a job lacks are omitted. Depths at submission and completion are omitted unless
    equal in all jobs, because fio does not print their counts.
    """
    if len(jobs) == 1:
        return dict(jobs[0].values)
    result: Values = {}
    for name in _TIMES:
        mean = _mean([number(job.values.get(name)) for job in jobs], [job.seconds for job in jobs])
        result |= {} if mean is None else {name: mean}
    for name in _COUNTERS:
        each = [number(job.values.get(name)) for job in jobs]
        result |= {name: sum(v for v in each if v is not None)} if None not in each else {}
    for name in _UNWEIGHTED:
        first = jobs[0].values.get(name)
        result |= {name: first} if first and all(j.values.get(name) == first for j in jobs) else {}
    tables = _weighted_tables(jobs, ("iodepth_level",)) | _weighted_tables(jobs, LATENCIES)
    return result | tables | _all_steady(jobs)


def _weighted_tables(jobs: Sequence[Whole], names: Sequence[str]) -> Values:
    """Return tables of shares of all operations of a job, weighted by the operations."""
    if not all(job.operations and any(name in job.values for name in names) for job in jobs):
        return {}
    total = sum(job.operations for job in jobs)
    result: Values = {}
    for name in names:
        sums: dict[str, float] = {}
        for job in jobs:
            table = job.values.get(name)
            for key, share in table.items() if isinstance(table, Mapping) else ():
                sums[key] = sums.get(key, 0.0) + (number(share) or 0.0) * job.operations / total
        result |= {name: sums} if sums else {}
    return result


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    if None in values or not all(weights):
        return None
    pairs = zip(values, weights, strict=True)
    return sum((value or 0.0) * weight for value, weight in pairs) / sum(weights)


def disks_of(document: Decoded) -> list[Values]:
    """Return the counters of the block devices, by fio's names."""
    raw: Any = document.get("disk_util")
    disks = [disk for disk in raw if isinstance(disk, Mapping)] if isinstance(raw, list) else []
    return [
        {"name": str(disk.get("name", ""))[:64]}
        | ({"host": str(disk["hostname"])[:200]} if disk.get("hostname") else {})
        | {name: disk[name] for name in _DISK_FIGURES if number(disk.get(name)) is not None}
        for disk in disks[:MAX_DISKS]
    ]


def disk_names(disks: Sequence[Values], arrays: Sequence[str] = ()) -> str:
    """Return the names of the devices under test, joined by ", ".

    Arrays replace their members if both are listed.
    """
    return joined_names(arrays or [str(disk["name"]) for disk in disks])


def joined_names(names: Iterable[str]) -> str:
    """Return the distinct names, joined by ", "."""
    return ", ".join(dict.fromkeys(name for name in names if name))[:MAX_TARGET_LENGTH]


def disks_name(groups: int) -> str:
    """Return the key of the devices' counters.

    The counters cover fio's whole run: with several consecutive groups of jobs they belong to no
    group.
    """
    return "disks" if groups == 1 else "disks_of_all_groups"
