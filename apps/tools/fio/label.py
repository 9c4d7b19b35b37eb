"""Label of a fio test whose parameters are known in full or in part."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.fields import Part
from apps.tools.values import Parameters
from apps.tools.workload_naming import (
    buffered,
    flags,
    known_parts,
    operation_part,
    several,
    size_part,
)

from .options.workload import MORE

_MIXED = ("rw", "randrw")
DEFAULT_ENGINE = "libaio"
_SIZES = frozenset(name for name, field in MORE.items() if field.kind == "size")
_OPERATION_TEXTS = {
    "read": "sequential read",
    "write": "sequential write",
    "rw": "sequential read+write",
    "trim": "sequential trim",
    "trimwrite": "sequential trim+write",
    "randread": "random read",
    "randwrite": "random write",
    "randrw": "random read+write",
    "randtrim": "random trim",
    "randtrimwrite": "random trim+write",
}


def label_parts(known: Parameters) -> Iterator[Part]:
    """Yield "random read+write 70 % reads 4 KiB, QD 128, 4 jobs, fdatasync after each write"."""
    # "operation: read" may be a random read: only rw distinguishes them.
    yield from operation_part(known, _OPERATION_TEXTS if "rw" in known else {}, "rw")
    if known.get("rw") in _MIXED and "rwmixread" in known:
        share = known["rwmixread"]
        yield Part("rwmixread", share, f"{share} % reads", close=True)
    yield from size_part(known, "bs", close=True)
    if known.get("iodepth") is not None:
        yield Part("iodepth", known["iodepth"], f"QD {known['iodepth']}")
    yield from several(known, "numjobs", "jobs")
    yield from flags(known, shared_file="one file for all jobs")
    yield from buffered(known)
    yield from size_part(known, "size", "in {size}")
    engine = known.get("ioengine")
    if engine not in (None, DEFAULT_ENGINE):
        yield Part("ioengine", engine, f"engine {engine}")
    if "size" in known and known["size"] is None and known.get("runtime") == 0:
        yield Part("runtime", 0, "no time limit")
    for name in ("fsync", "fdatasync"):
        if known.get(name):
            yield _after(name, known[name])
    yield from flags(known, end_fsync="fsync at the end")
    yield from known_parts({n: v for n, v in known.items() if n in MORE}, _SIZES)


def _after(name: str, writes: object) -> Part:
    each = "each write" if writes == 1 else f"{writes} writes"
    return Part(name, writes, f"{name} after {each}")
