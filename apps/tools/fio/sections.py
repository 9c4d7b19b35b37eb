"""Sections of fio's job file: one for a single target, one per target for several."""

from __future__ import annotations

import re

from apps.tools.targets import ToolTarget

from . import passthrough, pools
from .params import FioParams

TEST_FILE = "benchlab-fio"
SECTION = re.compile(r"target\d{1,4}")


def single(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """Return the head of the only job."""
    return (
        "--name=benchlab",
        *_target_options(params, target, ""),
        *_space(params),
        *_pinned(target, ""),
    )


def common(params: FioParams) -> tuple[str, ...]:
    """Return the head of all sections (HOWTO, "Job file format": the section `global`)."""
    return ("--name=global", *_space(params))


def each(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """Return a section for every target, named as the component of its result.

    Each section is a reporting group, so that its jobs are totalled and histograms are per target.
    """
    numbers = [str(number) for number in range(target.count)]
    return tuple(word for number in numbers for word in _section(params, target, number))


def _section(params: FioParams, target: ToolTarget, number: str) -> tuple[str, ...]:
    name = (f"--name=target{number}", "--new_group=1")
    return (*name, *_target_options(params, target, number), *_pinned(target, number))


def _target_options(params: FioParams, target: ToolTarget, number: str) -> tuple[str, ...]:
    if target.kind == "directory":
        # fio numbers the files, one per job; clean-up finds them by their common prefix.
        each = ".$filenum" if params.number("nrfiles", 1) > 1 else ""
        job = "" if params.shared_file else ".$jobnum"
        return (f"--directory={{target{number}}}", f"--filename_format={TEST_FILE}{job}{each}")
    if target.kind == "pool":
        return pools.image_options(target)
    return (f"--filename={passthrough.node(params, number)}",)


def _space(params: FioParams) -> tuple[str, ...]:
    size = () if params.size is None else (f"--size={params.size}",)
    return (*size, *((f"--offset={params.offset}",) if params.offset else ()))


def _pinned(target: ToolTarget, number: str) -> tuple[str, ...]:
    """Return the options that pin each job to one CPU.

    fio assigns the CPUs by the jobs' running number, so sections with as many CPUs as jobs use all
    of them (backend.c, fio_cpus_split).
    """
    if not target.pinned:
        return ()
    return (f"--cpus_allowed={{cpus{number}}}", "--cpus_allowed_policy=split")
