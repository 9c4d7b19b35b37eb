"""Parameters and target -> iozone's command lines. Every option is written here; file names come
from the target.
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
# How fast a plain disk goes: bytes/s in sequence, records/s in any other order. iozone has no run
# time, only an amount.
RATE = 100 * KIB**2
RECORDS = 1000
IN_SEQUENCE = frozenset({"write", "read", "record_rewrite", "fwrite", "fread", "pwrite", "pread"})
NEEDS_NO_FILE = frozenset({"write", "fwrite", "pwrite"})
REPEATED = frozenset({"write", "read", "fwrite", "fread"})


def procedure(params: IozoneParams, target: ToolTarget) -> Procedure:
    """The commands for one case. Raises ParamsError where the parameters do not fit this target."""
    if target.kind != "directory":
        raise ParamsError({"operation": "iozone tests a file system: choose a directory."})
    lays_out = params.operation not in NEEDS_NO_FILE
    size = params.file_size * params.threads
    test = Command("main", ("iozone", *_test(params), *_where(params)))
    return Procedure(
        commands=(*(_layout(params) if lays_out else ()), *_drop_caches(params), test),
        seconds=(size / RATE if lays_out else 0.0) + _seconds(params),
        writes=True,
        bytes_written=(size if lays_out else 0) + _written(params),
        space_needed=size,
    )


def _where(params: IozoneParams) -> tuple[str, ...]:
    """Sizes in kB, and the files: one, or one for each of several threads at once."""
    sizes = ("-s", str(params.file_size // KIB), "-r", str(params.record_size // KIB))
    place = f"{{target}}/{TEST_FILE}"
    if not params.together:
        return (*sizes, "-f", place)
    files = (f"{place}.{number}" for number in range(params.threads))
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
    chosen = tuple(letter for letter, wanted in letters.items() if wanted)
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
    """Computing between operations, and the processor's cache where it is not the usual one."""
    numbers = {
        "-J": (params.think_time, params.think_time != 0),
        "-S": (params.cache_size // KIB, params.cache_size != CACHE_SIZE),
        "-L": (params.cache_line, params.cache_line != CACHE_LINE),
    }
    return tuple(w for letter, (n, said) in numbers.items() if said for w in (letter, str(n)))


def _layout(params: IozoneParams) -> tuple[Command, ...]:
    """The file that is read: written once, kept (-w), and in full: without -x the slower of several
    threads stop when the first is done.
    """
    test = ("iozone", "-i", "0", "-w", "-+n", "-x")
    return (Command("layout", (*test, *_where(params))),)


def _drop_caches(params: IozoneParams) -> tuple[Command, ...]:
    """Buffered tests start with a cold page cache (kernel:
    Documentation/admin-guide/sysctl/vm.rst).
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
    computing = records * params.think_time / 1000
    if params.operation in IN_SEQUENCE:
        return computing + size / RATE
    return computing + max(size / RATE, size / params.record_size / RECORDS)


def _written(params: IozoneParams) -> int:
    """Bytes the test itself writes, at most."""
    size = params.file_size * params.threads
    if params.operation in NEEDS_NO_FILE:
        return size * _passes(params)
    return size if params.operation in ("random", "record_rewrite", "random_mix") else 0
