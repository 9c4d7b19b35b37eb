"""Sections of fio's job file: one for one target, or a section for each of several."""

from __future__ import annotations

import re

from apps.tools.targets import ToolTarget

from . import pools
from .params import FioParams

TEST_FILE = "benchlab-fio"
SECTION = re.compile(r"target\d{1,4}")


def single(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """The head of the only job."""
    return ("--name=benchlab", *_place(params, target, ""), *_space(params), *_pinned(target, ""))


def common(params: FioParams) -> tuple[str, ...]:
    """The head of what all sections share (HOWTO, "Job file format": the section `global`)."""
    return ("--name=global", *_space(params))


def each(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """A section for every target, named as the part of the result that it becomes. Each is a
    reporting group, so that its jobs are totalled and histograms stay those of one target.
    """
    numbers = [str(number) for number in range(target.count)]
    return tuple(word for number in numbers for word in _section(params, target, number))


def _section(params: FioParams, target: ToolTarget, number: str) -> tuple[str, ...]:
    name = (f"--name=target{number}", "--new_group=1")
    return (*name, *_place(params, target, number), *_pinned(target, number))


def _place(params: FioParams, target: ToolTarget, number: str) -> tuple[str, ...]:
    if target.kind == "directory":
        # fio numbers the files: one for each job, found again (and tidied up) by their first name.
        each = ".$filenum" if params.number("nrfiles", 1) > 1 else ""
        return (f"--directory={{target{number}}}", f"--filename_format={TEST_FILE}.$jobnum{each}")
    if target.kind == "pool":
        return pools.place(target)
    return (f"--filename={{target{number}}}",)


def _space(params: FioParams) -> tuple[str, ...]:
    size = () if params.size is None else (f"--size={params.size}",)
    return (*size, *((f"--offset={params.offset}",) if params.offset else ()))


def _pinned(target: ToolTarget, number: str) -> tuple[str, ...]:
    """One CPU a job: fio takes them from the list by its jobs' running number, so sections with as
    many CPUs as jobs each get all of theirs (backend.c, fio_cpus_split).
    """
    if not target.pinned:
        return ()
    return (f"--cpus_allowed={{cpus{number}}}", "--cpus_allowed_policy=split")
