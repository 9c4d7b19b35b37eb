"""fio's command line from parameters and target.

All options are written here: no job file, no user text.
"""

from __future__ import annotations

from apps.tools.caches import drop_caches
from apps.tools.errors import ParamsError
from apps.tools.histogram import PERCENTILES
from apps.tools.messages import message
from apps.tools.param_values import format_size
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget
from apps.tools.translation import gettext_noop

from . import amount, more_rules, passthrough, pools, sections, sprandom, zones
from .params import MIXED, READ_ONLY, TRIMMING, FioParams
from .sections import TEST_FILE

__all__ = ["RESULT", "TEST_FILE", "build_procedure", "options"]

RESULT = "result.json"
MAX_DOCUMENTS = 600
MAX_RESULT_BYTES = 48 * 1024**2
# fio 3.33: one direction of a job takes 28 to 60 kB with the clat and lat bins of a busy disk.
DOCUMENT_BYTES = 8_000
DIRECTION_BYTES = 64_000
# Write speed of a plain disk for the test file that fio lays out before reading it, bytes/s.
LAYOUT_RATE = 100 * 1024**2

_FLAGS = ("direct", "invalidate", "refill_buffers", "norandommap", "randrepeat")
_NUMBERS = ("iodepth", "numjobs")


def build_procedure(params: FioParams, target: ToolTarget) -> Procedure:
    """Return the commands for one case.

    Raises: ParamsError if the parameters do not fit the target.
    """
    errors = _misfits(params, target)
    if errors:
        raise ParamsError(errors)
    caches = _drop_caches(params)
    # A stage of its own: several hosts start fio together after all have dropped their caches.
    stage = pools.MAIN_STAGE if target.kind == "pool" else 1 if caches else 0
    test = _test(params, target, stage)
    # fio lays out the files of all jobs sequentially.
    layout = _layout_bytes(params, target) * target.count
    return Procedure(
        commands=_with_pool_commands(params, target, test)
        if target.kind == "pool"
        else (*caches, test),
        seconds=amount.seconds(params, target)
        + layout / LAYOUT_RATE
        + (pools.seconds(target) if target.kind == "pool" else 0.0),
        writes=params.rw not in READ_ONLY or target.kind != "disk",
        bytes_written=bytes_written(params, target),
        space_needed=space_needed(params, target),
        threads=params.numjobs,
    )


def _test(params: FioParams, target: ToolTarget, stage: int) -> Command:
    fills = target.identity if target.kind == "pool" and params.rw not in READ_ONLY else ""
    return Command(
        "main",
        ("fio", *options(params, target)),
        files=(RESULT,),
        stage=stage,
        fills=fills,
        load_seconds=amount.seconds(params, target),
    )


def _with_pool_commands(
    params: FioParams, target: ToolTarget, test: Command
) -> tuple[Command, ...]:
    return pools.commands(params, target, test, filled=_layout_bytes(params, target) > 0)


def options(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """Return fio's options in a fixed order; the agent replaces `{target}` and `{cpus}`."""
    several = target.count > 1
    return (
        *(sections.common(params) if several else sections.single(params, target)),
        *_readonly(params, target),
        f"--rw={params.rw}",
        f"--bs={params.bs}",
        *(() if target.kind == "pool" else (f"--ioengine={params.ioengine}",)),
        *(f"--{name}={getattr(params, name)}" for name in _NUMBERS),
        *(f"--{name}={int(getattr(params, name))}" for name in _FLAGS),
        *((f"--runtime={params.runtime}s",) if params.runtime else ()),
        *_optional(params),
        *_more(params, target),
        *sprandom.options(params),
        *_output(params, target),
        *(sections.each(params, target) if several else ()),
    )


def _readonly(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """Return --readonly for tests that only read, so that fio refuses to write.

    Not in a directory, where fio lays out its file.
    """
    return ("--readonly",) if params.rw in READ_ONLY and target.kind != "directory" else ()


def _optional(params: FioParams) -> tuple[str, ...]:
    chosen: list[str] = []
    for name in ("time_based", "thread", "group_reporting", "end_fsync"):
        chosen += [f"--{name}=1"] if getattr(params, name) else []
    for name in ("ramp_time", "fsync", "fdatasync", "rate_iops"):
        chosen += [f"--{name}={getattr(params, name)}"] if getattr(params, name) else []
    if params.rw in MIXED:
        chosen.append(f"--rwmixread={params.rwmixread}")
    if params.loops > 1:
        chosen.append(f"--loops={params.loops}")
    if params.cpus_allowed:
        chosen.append(f"--cpus_allowed={params.cpus_allowed}")
        chosen.append(f"--cpus_allowed_policy={params.cpus_allowed_policy}")
    return tuple(chosen)


def _more(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    """Return arguments of fio's other options; a value cannot become another argument."""
    arguments = tuple(f"--{name}={int(v) if isinstance(v, bool) else v}" for name, v in params.more)
    if _overwrites(params, target) and not params.option("overwrite"):
        arguments += ("--overwrite=1",)
    # Otherwise fio writes the state of its verification to a file next to the result.
    return (*arguments, *(("--verify_state_save=0",) if params.option("verify") else ()))


def _output(params: FioParams, target: ToolTarget) -> tuple[str, ...]:
    return (
        "--clat_percentiles=1",
        "--lat_percentiles=1",
        "--slat_percentiles=0",
        f"--percentile_list={':'.join(PERCENTILES)}",
        "--output-format=json+",
        f"--output={RESULT}",
        f"--status-interval={status_interval(params, target)}",
        "--eta=never",
    )


def status_interval(params: FioParams, target: ToolTarget) -> int:
    """Return the seconds between two status documents, limiting their number and bytes."""
    seconds = max(1, int(amount.seconds(params, target)))
    jobs = target.count * (1 if params.group_reporting else params.numjobs)
    directions = 2 if params.rw in MIXED or params.rw in ("trimwrite", "randtrimwrite") else 1
    directions = 2 if params.option("verify") else directions
    document = DOCUMENT_BYTES + jobs * (DOCUMENT_BYTES + directions * DIRECTION_BYTES)
    max_documents = max(1, min(MAX_DOCUMENTS, MAX_RESULT_BYTES // document))
    return max(1, -(-seconds // max_documents))


def bytes_written(params: FioParams, target: ToolTarget) -> int | None:
    """Return the maximum of bytes written to all targets together.

    Return None if only the device's speed determines them.
    """
    one = _bytes_each(params, target)
    return None if one is None else one * target.count


def _bytes_each(params: FioParams, target: ToolTarget) -> int | None:
    layout = _layout_bytes(params, target)
    if params.rw in READ_ONLY:
        return layout
    if not params.time_based:
        transferred = amount.bytes_moved(params, target)
        return (
            None
            if transferred is None
            else layout + int(transferred * amount.written_share(params))
        )
    if params.rate_iops:
        seconds = params.ramp_time + params.runtime
        return layout + params.rate_iops * params.largest_block * params.numjobs * seconds
    return None


def space_needed(params: FioParams, target: ToolTarget) -> int:
    """Return the free bytes that each directory needs for files; 0 for a disk."""
    if target.kind != "directory":
        return 0
    appended = 2 if params.option("file_append") else 1
    jobs = range(params.numjobs)
    offsets = (params.offset + params.number("offset_increment") * job for job in jobs)
    spaces = [(params.size or 0) * appended + offset for offset in offsets]
    return max(spaces) if params.shared_file else sum(spaces)


def _layout_bytes(params: FioParams, target: ToolTarget) -> int:
    """Return the bytes that fio writes before the test.

    fio writes a test file in full before it reads it, and for overwrite (fio(1), "overwrite").
    """
    reads = params.rw in READ_ONLY or params.rw in MIXED
    laid_out = reads or _overwrites(params, target) or params.option("file_append")
    if target.kind == "pool":
        return pools.image_size(params) if laid_out else 0
    return space_needed(params, target) if laid_out else 0


def _overwrites(params: FioParams, target: ToolTarget) -> bool:
    """Return True if fio lays out the files of writing jobs before the test.

    A file that several jobs share is laid out, so that none of them measures its allocation.
    """
    shared = params.shared_file and target.kind == "directory" and params.rw not in READ_ONLY
    return shared or bool(params.option("overwrite"))


def _drop_caches(params: FioParams) -> tuple[Command, ...]:
    """Return the commands that give buffered tests a cold page cache.

    Source: kernel, Documentation/admin-guide/sysctl/vm.rst.
    """
    if params.direct or not params.invalidate or params.ioengine == pools.ENGINE:
        return ()
    return drop_caches()


def _misfits(params: FioParams, target: ToolTarget) -> dict[str, str]:
    errors = _pin_errors(params, target) | pools.engine_elsewhere(target.kind, params.ioengine)
    errors |= zones.errors(params, target) | passthrough.errors(params, target)
    errors |= sprandom.errors(params, target)
    if target.kind == "pool":
        return errors | pools.errors(params, target) | more_rules.disk_errors(dict(params.more))
    if target.kind == "directory":
        if params.size is None:
            errors["size"] = message("A directory needs a size: how large the test file is.")
        if params.rw in TRIMMING:
            errors["rw"] = message("Trim works on disks, not on files.")
        return errors
    errors |= more_rules.disk_errors(dict(params.more))
    last = params.offset + params.number("offset_increment") * (params.numjobs - 1)
    end = last + (params.size or params.largest_block)
    if target.size is not None and end > target.size:
        several = gettext_noop("The smallest disk has %(size)s; the test needs %(needed)s.")
        one = gettext_noop("This disk has %(size)s; the test needs %(needed)s.")
        errors["size"] = message(
            several if target.count > 1 else one,
            size=format_size(target.size),
            needed=format_size(end),
        )
    return errors


def _pin_errors(params: FioParams, target: ToolTarget) -> dict[str, str]:
    if not target.pinned or params.cpus_allowed is None:
        return {}
    return {
        "cpus_allowed": message(
            "The tuning chooses one CPU per hardware queue: leave the list of CPUs empty, or use a "
            "tuning that pins nothing."
        )
    }
