"""Label of an iozone test, from all or some of its parameters."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.fields import Part
from apps.tools.values import Parameters
from apps.tools.workload_naming import buffered, flags, operation_part, several, size_part

from .parser.columns import CACHE_LINE, CACHE_SIZE

_FLAGS = {
    "async_copies": "with copies",
    "include_fsync": "with fsync",
    "include_close": "with close",
    "pthreads": "POSIX threads",
    "lock_file": "locked",
    "multiple_buffers": "several buffers",
    "mixed_mmap": "mapping mixed with file",
}


def label_parts(known: Parameters) -> Iterator[Part]:
    """Yield the parts of a label such as "random read 4 KiB, 4 GiB file, 4 threads, buffered"."""
    yield from operation_part(known, {}, "operation")
    yield from size_part(known, "record_size", close=True)
    yield from size_part(known, "file_size", "{size} file")
    yield from several(known, "threads", "threads")
    if known.get("operation") == "stride_read" and known.get("stride") is not None:
        yield Part("stride", known["stride"], f"stride {known['stride']}")
    yield from () if known.get("mmap") else buffered(known)
    yield from flags(known, sync="sync", mmap="mmap")
    if known.get("msync") not in (None, "none"):
        yield Part("msync", known["msync"], f"msync {known['msync']}")
    if known.get("async_depth"):
        yield Part("async_depth", known["async_depth"], f"QD {known['async_depth']}")
    yield from flags(known, **_FLAGS)
    if known.get("think_time"):
        yield Part("think_time", known["think_time"], f"{known['think_time']} ms of computing")
    for name, template, default in (
        ("cache_size", "cache {size}", CACHE_SIZE),
        ("cache_line", "cache line {size}", CACHE_LINE),
    ):
        if known.get(name) != default:
            yield from size_part(known, name, template)
