"""Build iozone's command lines from parameters and target, with all options.

File names come from the target.
"""

from __future__ import annotations

from apps.tools.caches import drop_caches
from apps.tools.errors import ParamsError
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .fields import KIB
from .params import IozoneParams
from .parser.columns import CACHE_LINE, CACHE_SIZE, PLANNED

TEST_FILE = "benchlab-iozone"
# Estimated rate of a plain disk: sequential bytes/s, otherwise records/s. iozone has an amount and
# no run time.
RATE = 100 * KIB**2
RECORDS = 1000
SEQUENTIAL = frozenset({"write", "read", "record_rewrite", "fwrite", "fread", "pwrite", "pread"})
NEEDS_NO_FILE = frozenset({"write", "fwrite", "pwrite"})
REPEATED = frozenset({"write", "read", "fwrite", "fread"})


def build_procedure(params: IozoneParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case.

    Raises: ParamsError if the parameters do not fit the target.
    """
    if target.kind != "directory":
        raise ParamsError({"operation": "iozone tests a file system: choose a directory."})
    lays_out = params.operation not in NEEDS_NO_FILE
    size = params.file_size * params.threads
    test = Command("main", ("iozone", *_test(params), *_sizes_and_files(params)))
    return Procedure(
        commands=(*(_layout(params) if lays_out else ()), *_drop_caches(params), test),
        seconds=(size / RATE if lays_out else 0.0) + _seconds(params),
        writes=True,
        bytes_written=(size if lays_out else 0) + _written(params),
        space_needed=size,
    )


def _sizes_and_files(params: IozoneParams) -> tuple[str, ...]:
    """Return sizes in kB and the files: one, or one for each of several threads."""
    sizes = ("-s", str(params.file_size // KIB), "-r", str(params.record_size // KIB))
    path = f"{{target}}/{TEST_FILE}"
    if not params.uses_throughput_mode:
        return (*sizes, "-f", path)
    files = (f"{path}.{number}" for number in range(params.threads))
    return (*sizes, "-t", str(params.threads), "-F", *files)


def _test(params: IozoneParams) -> tuple[str, ...]:
    letters = {
        "-I": params.direct,
        "-o": params.sync,
        "-e": params.include_fsync,
        "-c": params.include_close,
        "-B": params.mmap,
        "-+n": not params.retest,
        "-T": params.pthreads,
        "-W": params.lock_file,
        "-m": params.multiple_buffers,
        "-Z": params.mixed_mmap,
    }
    chosen = tuple(letter for letter, is_set in letters.items() if is_set)
    stride = ("-j", str(params.stride)) if params.operation == "stride_read" else ()
    flush = {"async": ("-D",), "sync": ("-G",)}.get(params.msync, ())
    letter = "-H" if params.async_copies else "-k"
    depth = (letter, str(params.async_depth)) if params.async_depth else ()
    return (
        "-i",
        str(PLANNED[params.operation][0]),
        *chosen,
        *flush,
        *depth,
        *stride,
        *_process(params),
    )


def _process(params: IozoneParams) -> tuple[str, ...]:
    """Return the options for computing between operations and for a non-default processor cache."""
    numbers = {
        "-J": (params.think_time, params.think_time != 0),
        "-S": (params.cache_size // KIB, params.cache_size != CACHE_SIZE),
        "-L": (params.cache_line, params.cache_line != CACHE_LINE),
    }
    return tuple(w for letter, (n, is_set) in numbers.items() if is_set for w in (letter, str(n)))


def _layout(params: IozoneParams) -> tuple[Command, ...]:
    """Return the command that creates the file to read; it stays (-w) and is complete (-x).

    Without -x the slower of several threads stop when the first has finished.
    """
    test = ("iozone", "-i", "0", "-w", "-+n", "-x")
    return (Command("layout", (*test, *_sizes_and_files(params))),)


def _drop_caches(params: IozoneParams) -> tuple[Command, ...]:
    """Return the commands that give a buffered test a cold page cache.

    Source: Linux Documentation/admin-guide/sysctl/vm.rst.
    """
    if params.direct:
        return ()
    return drop_caches()


def _passes(params: IozoneParams) -> int:
    repeated = params.operation in REPEATED and params.retest
    return 2 if repeated or params.operation == "random" else 1


def _seconds(params: IozoneParams) -> float:
    size = params.file_size * params.threads * _passes(params)
    records = params.file_size / params.record_size * _passes(params)
    think_seconds = records * params.think_time / 1000
    if params.operation in SEQUENTIAL:
        return think_seconds + size / RATE
    return think_seconds + max(size / RATE, size / params.record_size / RECORDS)


def _written(params: IozoneParams) -> int:
    """Return the maximum of bytes that the test itself writes."""
    size = params.file_size * params.threads
    if params.operation in NEEDS_NO_FILE:
        return size * _passes(params)
    return size if params.operation in ("random", "record_rewrite", "random_mix") else 0
