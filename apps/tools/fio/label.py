"""Label of a fio test whose parameters are known in full or in part."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.fields import Part
from apps.tools.messages import message
from apps.tools.translation import gettext_noop as _
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
    "read": _("sequential read"),
    "write": _("sequential write"),
    "rw": _("sequential read+write"),
    "trim": _("sequential trim"),
    "trimwrite": _("sequential trim+write"),
    "randread": _("random read"),
    "randwrite": _("random write"),
    "randrw": _("random read+write"),
    "randtrim": _("random trim"),
    "randtrimwrite": _("random trim+write"),
}


def label_parts(known: Parameters) -> Iterator[Part]:
    """Yield "random read+write 70 % reads 4 KiB, QD 128, 4 jobs, fdatasync after each write"."""
    # "operation: read" may be a random read: only rw distinguishes them.
    yield from operation_part(known, _OPERATION_TEXTS if "rw" in known else {}, "rw")
    if known.get("rw") in _MIXED and "rwmixread" in known:
        share = known["rwmixread"]
        yield Part("rwmixread", share, message("%(share)s %% reads", share=str(share)), close=True)
    yield from size_part(known, "bs", close=True)
    if known.get("iodepth") is not None:
        yield Part("iodepth", known["iodepth"], f"QD {known['iodepth']}")
    yield from several(known, "numjobs", _("%(count)s jobs"))
    yield from flags(known, shared_file=_("one file for all jobs"))
    yield from buffered(known)
    yield from size_part(known, "size", _("in %(size)s"))
    engine = known.get("ioengine")
    if engine not in (None, DEFAULT_ENGINE):
        yield Part("ioengine", engine, message("engine %(engine)s", engine=engine))
    if "size" in known and known["size"] is None and known.get("runtime") == 0:
        yield Part("runtime", 0, message("no time limit"))
    for name in ("fsync", "fdatasync"):
        if known.get(name):
            yield _after(name, known[name])
    yield from flags(known, end_fsync=_("fsync at the end"))
    yield from known_parts({n: v for n, v in known.items() if n in MORE}, _SIZES)


def _after(name: str, writes: object) -> Part:
    if writes == 1:
        return Part(name, writes, message("%(option)s after each write", option=name))
    text = message("%(option)s after %(writes)s writes", option=name, writes=str(writes))
    return Part(name, writes, text)
