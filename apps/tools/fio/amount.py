"""Bytes that a test moves and seconds that it takes, where its parameters tell."""

from __future__ import annotations

from apps.tools.targets import ToolTarget

from .params import MIXED, FioParams

# How fast a plain disk goes, bytes/s in sequence and operations/s in any other order: the first
# guess for a test that ends when its work is done.
RATE = 100 * 1024**2
OPERATIONS = 1000
_SHORTEST = 1.0


def seconds(params: FioParams, target: ToolTarget) -> float:
    """Seconds that fio runs: its run time, or what a plain disk takes for the work."""
    before = params.ramp_time + params.number("startdelay")
    if params.time_based:
        return float(before + params.runtime)
    if params.runtime:
        return float(before + params.runtime)
    passes = 2 if params.option("verify") else 1
    return before + max(_SHORTEST, passes * _work_seconds(params, target))


def moved(params: FioParams, target: ToolTarget) -> int | None:
    """Bytes all jobs move on one target when the test is not timed; None where its size is not
    known.
    """
    space = params.size if params.size is not None else (target.size or 0) - params.offset
    space = params.number("io_size", space)
    operations = params.number("number_ios")
    if operations:
        space = min(space, operations * params.largest_block) if space > 0 else 0
    return space * params.numjobs * params.loops if space > 0 else None


def written_share(params: FioParams) -> float:
    """The part of what is moved that is written."""
    return (100 - params.rwmixread) / 100 if params.rw in MIXED else 1.0


def _work_seconds(params: FioParams, target: ToolTarget) -> float:
    amount = moved(params, target) or RATE
    operations = amount / params.bs
    if params.rate_iops:
        return operations / params.rate_iops / params.numjobs
    if rate := params.number("rate"):
        return amount / rate / params.numjobs
    each = params.number("thinktime") / 1e6 / params.number("thinktime_blocks", 1)
    in_order = not params.rw.startswith("rand")
    work = amount / RATE if in_order else max(amount / RATE, operations / OPERATIONS)
    return work + operations * each / params.numjobs
