"""Group of jobs in fio's documents: common parameters, and figures of jobs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from apps.tools.fio.fields import FIELDS
from apps.tools.fio.parser.block_sizes import ranges_of, size_params
from apps.tools.fio.parser.tables import combine, disks_name, disks_of, whole_of
from apps.tools.fio.parser.targets import group_of
from apps.tools.param_values import read_field
from apps.tools.values import Decoded, Parameters, Values

from .options import other_option
from .repair import jobs_of
from .sections import foreign_options, sections_of

ALIASES = {"blocksize": "bs", "blocksize_range": "bsrange", "readwrite": "rw"}
_BLOCK_SIZES = ("bs", "bsrange")
_MAX_CACHED_OPTIONS, _MAX_CACHED_LENGTH = (
    40,
    200,
)  # options of a job, and length of one, up to which results are cached


@dataclass(frozen=True)
class Stated:
    """Common parameters of jobs.

    `unread`: names of options that differ or belong to another section.
    """

    params: Parameters = field(default_factory=dict)
    unread: tuple[str, ...] = ()


def stated_of(
    members: Sequence[Decoded],
    group: Sequence[Decoded],
    document: Decoded,
    targets: Mapping[int, str],
) -> Stated:
    """Return the parameters that the jobs of a result state.

    Parameters of plans are in bytes, seconds and counts, others as written. `group`: all jobs that
    ran at the same time; `targets`: benchlab's own sections, one per target.
    """
    common = _options(document.get("global options"))
    # Most jobs have equal options: parse each text once.
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
    if shared.get("numjobs", 1) == 1:
        shared.pop("shared_file", None)
    sections = 1 if targets else sections_of(group)
    ordered = {name: shared[name] for name in (*FIELDS, *sorted(shared)) if name in shared}
    return Stated(
        ordered | ({"sections": sections} if sections > 1 else {}), tuple(sorted(differing))
    )


def _options(raw: Any) -> Parameters:
    """Return canonical values of fio's option texts ("4k", "1", "").

    Options that no plan has stay as written: a test with them differs from a test without.
    """
    if not isinstance(raw, Mapping):
        return {}
    texts = tuple(raw.items())
    if len(texts) <= _MAX_CACHED_OPTIONS and all(
        type(v) is str and len(v) < _MAX_CACHED_LENGTH for _k, v in texts
    ):
        return dict(_read_cached(texts))
    return _read(texts)


@lru_cache(maxsize=1024)  # files of a folder have few different options
def _read_cached(texts: tuple[tuple[Any, Any], ...]) -> Parameters:
    return _read(texts)


def _read(texts: Iterable[tuple[Any, Any]]) -> Parameters:
    params: Parameters = {}
    for key, text in texts:
        name = ALIASES.get(str(key), str(key))
        field = FIELDS.get(name)
        if name == "filename" and _is_one_file(text):
            params["shared_file"] = True
        if name in _BLOCK_SIZES and (sizes := _sizes(text)):
            params |= sizes
            continue
        if field is None:
            params |= other_option(name, text, len(params))
            continue
        value = "1" if field.kind == "flag" and text == "" else text
        try:
            params[name] = read_field(field, value)
        except ValueError:
            params |= other_option(name, text, len(params))
    return params


def _is_one_file(text: object) -> bool:
    """Return True for a file that all jobs work on; disks are shared anyway."""
    return isinstance(text, str) and not text.startswith("/dev/") and ":" not in text


def _sizes(text: object) -> Parameters:
    """Return sizes by direction or a range, as in fio's text output."""
    ranges = ranges_of(text) if isinstance(text, str) and re.search(r"[,-]", text) else None
    return size_params(ranges) if ranges else {}


def job_values(jobs: Sequence[Decoded], document: Decoded) -> Values:
    """Return the combined CPU, depth and latency tables of a group's jobs, and disk counters."""
    disks, groups = disks_of(document), {group_of(job) for job in jobs_of(document)}
    # benchlab's sections of several targets are groups that run at once.
    name = disks_name(1 if len(jobs) == len(jobs_of(document)) else len(groups))
    return combine([whole_of(job) for job in jobs]) | ({name: disks} if disks else {})
