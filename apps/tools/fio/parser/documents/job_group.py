"""A group of jobs in fio's documents: the parameters they share, and figures that belong to
jobs, not directions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from apps.tools.fio.fields import FIELDS
from apps.tools.fio.parser.tables import disks_name, disks_of, together
from apps.tools.fio.parser.targets import group_of
from apps.tools.params import read_field
from apps.tools.values import Decoded, Parameters, Values

from .options import other_option
from .read_job import whole_job
from .repair import jobs_of

ALIASES = {"blocksize": "bs", "readwrite": "rw"}
_REMEMBERED, _SHORT = 40, 200  # options of a job, and signs of one, beyond which none are kept


def point(jobs: Sequence[Decoded], document: Decoded) -> Parameters:
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


def _options(raw: Any) -> Parameters:
    """fio's option texts ("4k", "1", "") -> canonical values. What no plan can ask for stays as it
    is written: a test with it is another one than a test without."""
    if not isinstance(raw, Mapping):
        return {}
    texts = tuple(raw.items())
    if len(texts) <= _REMEMBERED and all(type(v) is str and len(v) < _SHORT for _k, v in texts):
        return dict(_read_again(texts))
    return _read(texts)


@lru_cache(maxsize=1024)  # the files of a folder were made with the same few
def _read_again(texts: tuple[tuple[Any, Any], ...]) -> Parameters:
    return _read(texts)


def _read(texts: Iterable[tuple[Any, Any]]) -> Parameters:
    found: Parameters = {}
    for key, text in texts:
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


def job_values(jobs: Sequence[Decoded], document: Decoded) -> Values:
    """CPU, depth and latency tables of a group's jobs together, and disk counters."""
    disks, groups = disks_of(document), {group_of(job) for job in jobs_of(document)}
    # Benchlab's own sections of several targets are groups that run at once.
    name = disks_name(1 if len(jobs) == len(jobs_of(document)) else len(groups))
    return together([whole_job(job) for job in jobs]) | ({name: disks} if disks else {})
