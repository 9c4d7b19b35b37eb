"""A group of jobs in fio's documents: the parameters they share, and figures that belong to
jobs, not directions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from apps.tools.fio.fields import FIELDS
from apps.tools.fio.parser.block_sizes import ranges_of, size_params
from apps.tools.fio.parser.tables import disks_name, disks_of, together, whole_of
from apps.tools.fio.parser.targets import group_of
from apps.tools.param_values import read_field
from apps.tools.values import Decoded, Parameters, Values

from .options import other_option
from .repair import jobs_of
from .sections import foreign_options, sections_of

ALIASES = {"blocksize": "bs", "blocksize_range": "bsrange", "readwrite": "rw"}
_BLOCK_SIZES = ("bs", "bsrange")
_REMEMBERED, _SHORT = 40, 200  # options of a job, and signs of one, beyond which none are kept


@dataclass(frozen=True)
class Stated:
    """The parameters that jobs share, and the names of options in which they differ or that belong
    to another section.
    """

    params: Parameters = field(default_factory=dict)
    unread: tuple[str, ...] = ()


def stated_of(
    members: Sequence[Decoded],
    group: Sequence[Decoded],
    document: Decoded,
    targets: Mapping[int, str],
) -> Stated:
    """Return what the jobs of a result state: parameters that a plan has in bytes, seconds and
    counts, others as they were written. `group`: all jobs that ran at the same time; `targets`:
    sections of benchlab's own, one for each target.
    """
    common = _options(document.get("global options"))
    # Most jobs differ in nothing: only what differs is read.
    texts = {str(text): text for job in members if (text := job.get("job options")) is not None}
    bare: list[Parameters] = [{}] if any(job.get("job options") is None for job in members) else []
    first, *others = [*map(_options, texts.values()), *bare] or [{}]
    same = {k: v for k, v in first.items() if all(o.get(k) == v for o in others)}
    differing = {name for each in (first, *others) for name in each} - same.keys()
    if not targets and any(
        foreign_options(job, common | _options(job.get("job options"))) for job in members
    ):
        differing |= same.keys() | {"rw", "bs"} & common.keys()
        same = {}
    shared = {name: value for name, value in (common | same).items() if name not in differing}
    sections = 1 if targets else sections_of(group)
    ordered = {name: shared[name] for name in (*FIELDS, *sorted(shared)) if name in shared}
    return Stated(
        ordered | ({"sections": sections} if sections > 1 else {}), tuple(sorted(differing))
    )


def _options(raw: Any) -> Parameters:
    """Fio's option texts ("4k", "1", "") -> canonical values. What no plan can ask for stays as it
    is written: a test with it is another one than a test without.
    """
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
        if name in _BLOCK_SIZES and (sizes := _sizes(text)):
            found |= sizes
            continue
        if field is None:
            found |= other_option(name, text, len(found))
            continue
        value = "1" if field.kind == "flag" and text == "" else text
        try:
            found[name] = read_field(field, value)
        except ValueError:
            found |= other_option(name, text, len(found))
    return found


def _sizes(text: object) -> Parameters:
    """Sizes by direction or from smallest to largest, as fio's text gives them."""
    ranges = ranges_of(text) if isinstance(text, str) and re.search(r"[,-]", text) else None
    return size_params(ranges) if ranges else {}


def job_values(jobs: Sequence[Decoded], document: Decoded) -> Values:
    """CPU, depth and latency tables of a group's jobs together, and disk counters."""
    disks, groups = disks_of(document), {group_of(job) for job in jobs_of(document)}
    # Benchlab's own sections of several targets are groups that run at once.
    name = disks_name(1 if len(jobs) == len(jobs_of(document)) else len(groups))
    return together([whole_of(job) for job in jobs]) | ({name: disks} if disks else {})
