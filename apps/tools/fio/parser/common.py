"""What fio's formats share: the parameters of a group of jobs, and figures that belong to jobs, not
directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.tools.base import JSON
from apps.tools.fio.fields import FIELDS
from apps.tools.params import read_field
from apps.tools.text import number

from .options import other_option

ALIASES = {"blocksize": "bs", "readwrite": "rw"}
_COUNTERS = ("usr_cpu", "sys_cpu", "ctx", "majf", "minf")
_TABLES = (
    *("iodepth_level", "iodepth_submit", "iodepth_complete"),
    *("latency_ns", "latency_us", "latency_ms"),
)
_DISK_FIGURES = (
    *("read_ios", "write_ios", "read_merges", "write_merges"),
    *("read_ticks", "write_ticks", "in_queue", "util"),
)
MAX_DISKS = 64


def point(jobs: Sequence[JSON], document: JSON) -> JSON:
    """The parameters all jobs of a group share: those a plan knows in bytes, seconds and counts,
    others as they were written."""
    shared = _options(document.get("global options"))
    raw = [job.get("job options") for job in jobs]
    if raw:
        first = _options(raw[0])
        # Most jobs differ in nothing: only what differs is read.
        others = [_options(each) for each in raw if each != raw[0]]
        shared |= {k: v for k, v in first.items() if all(o.get(k) == v for o in others)}
    return {name: shared[name] for name in (*FIELDS, *sorted(shared)) if name in shared}


def _options(raw: Any) -> JSON:
    """fio's option texts ("4k", "1", "") -> canonical values. What no plan can ask for stays as it
    is written: a test with it is another one than a test without."""
    found: JSON = {}
    for key, text in raw.items() if isinstance(raw, Mapping) else ():
        name = ALIASES.get(str(key), str(key))
        field = FIELDS.get(name)
        if field is None:
            found |= other_option(name, text, len(found))
            continue
        value = "1" if field.kind == "flag" and text == "" else text
        try:
            found[name] = read_field(field, value)
        except ValueError:
            found |= other_option(name, text, len(found))
    return found


def job_values(jobs: Sequence[JSON], document: JSON) -> JSON:
    """CPU, depth and latency tables of a group with one result, sync latencies, disk counters."""
    values: JSON = {}
    if len(jobs) == 1:
        values |= _counters(jobs[0]) | _tables(jobs[0])
        sync = _sync(jobs[0].get("sync"))
        values |= {"sync": sync} if sync else {}
    disks = _disks(document.get("disk_util"))
    return values | ({"disks": disks} if disks else {})


def _counters(job: JSON) -> JSON:
    return {name: job[name] for name in _COUNTERS if number(job.get(name)) is not None}


def _tables(job: JSON) -> JSON:
    """Shares in percent, without the many places that are zero."""
    tables: JSON = {}
    for name in _TABLES:
        raw = job.get(name)
        shares = {k: v for k, v in raw.items() if number(v)} if isinstance(raw, Mapping) else {}
        if shares and len(shares) <= 64:
            tables[name] = shares
    return tables


def _sync(raw: Any) -> JSON:
    """fsync and fdatasync calls: how many and how long, in ns."""
    if not isinstance(raw, Mapping) or not number(raw.get("total_ios")):
        return {}
    latency = raw.get("lat_ns")
    figures = latency if isinstance(latency, Mapping) else {}
    names = ("min", "mean", "max", "stddev")
    return {"total_ios": raw["total_ios"]} | {name: number(figures.get(name)) for name in names}


def _disks(raw: Any) -> list[JSON]:
    disks = [disk for disk in raw if isinstance(disk, Mapping)] if isinstance(raw, list) else []
    return [
        {"name": str(disk.get("name", ""))[:64]}
        | {name: disk[name] for name in _DISK_FIGURES if number(disk.get(name)) is not None}
        for disk in disks[:MAX_DISKS]
    ]
