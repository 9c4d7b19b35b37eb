"""Amount of I/O and duration of a test, derived from its parameters."""

from __future__ import annotations

from apps.tools.targets import ToolTarget

from . import sprandom
from .params import MIXED, FioParams

# Speed of a plain disk, bytes/s in sequence and operations/s in random order: the estimate for a
# test that ends when its work is done.
RATE = 100 * 1024**2
OPERATIONS = 1000
_MIN_SECONDS = 1.0


def seconds(params: FioParams, target: ToolTarget) -> float:
    """Return the duration in seconds: the run time, or an estimate for a plain disk."""
    before = params.ramp_time + params.number("startdelay")
    if params.time_based:
        return float(before + params.runtime)
    if params.runtime:
        return float(before + params.runtime)
    passes = 2 if params.option("verify") else 1
    return before + max(_MIN_SECONDS, passes * _work_seconds(params, target))


def bytes_moved(params: FioParams, target: ToolTarget) -> int | None:
    """Return the bytes that all jobs transfer on one target in a test without time limit.

    Return None if the target's size is unknown.
    """
    space = params.size if params.size is not None else (target.size or 0) - params.offset
    space = params.number("io_size", space)
    operations = params.number("number_ios")
    if operations:
        space = min(space, operations * params.largest_block) if space > 0 else 0
    if params.option(sprandom.SPRANDOM) and space > 0:
        space = sprandom.bytes_written(params, space)
    return space * params.numjobs * params.loops if space > 0 else None


def written_share(params: FioParams) -> float:
    """Return the share of the transferred bytes that is written, 0 to 1."""
    return (100 - params.rwmixread) / 100 if params.rw in MIXED else 1.0


def _work_seconds(params: FioParams, target: ToolTarget) -> float:
    amount = bytes_moved(params, target) or RATE
    operations = amount / params.bs
    if params.rate_iops:
        return operations / params.rate_iops / params.numjobs
    if rate := params.number("rate"):
        return amount / rate / params.numjobs
    thinktime_seconds = params.number("thinktime") / 1e6 / params.number("thinktime_blocks", 1)
    is_sequential = not params.rw.startswith("rand")
    work = amount / RATE if is_sequential else max(amount / RATE, operations / OPERATIONS)
    return work + operations * thinktime_seconds / params.numjobs
