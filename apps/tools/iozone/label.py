"""Label of an iozone test, from all or some of its parameters."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.fields import Part
from apps.tools.messages import message
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters
from apps.tools.workload_naming import buffered, flags, operation_part, several, size_part

from .parser.columns import CACHE_LINE, CACHE_SIZE

_OPERATION_TEXTS = {
    "write": _("write"),
    "rewrite": _("rewrite"),
    "read": _("read"),
    "reread": _("reread"),
    "random": _("random"),
    "random_read": _("random read"),
    "random_write": _("random write"),
    "random_mix": _("random mix"),
    "backward_read": _("backward read"),
    "record_rewrite": _("record rewrite"),
    "stride_read": _("stride read"),
}
_FLAGS = {
    "async_copies": _("with copies"),
    "include_fsync": _("with fsync"),
    "include_close": _("with close"),
    "pthreads": _("POSIX threads"),
    "lock_file": _("locked"),
    "multiple_buffers": _("several buffers"),
    "mixed_mmap": _("mapping mixed with file"),
}


def label_parts(known: Parameters) -> Iterator[Part]:
    """Yield the parts of a label such as "random read 4 KiB, 4 GiB file, 4 threads, buffered"."""
    yield from operation_part(known, _OPERATION_TEXTS, "operation")
    yield from size_part(known, "record_size", close=True)
    yield from size_part(known, "file_size", _("%(size)s file"))
    yield from several(known, "threads", _("%(count)s threads"))
    if known.get("operation") == "stride_read" and known.get("stride") is not None:
        yield Part("stride", known["stride"], message("stride %(size)s", size=str(known["stride"])))
    yield from () if known.get("mmap") else buffered(known)
    yield from flags(known, sync="sync", mmap="mmap")
    if known.get("msync") not in (None, "none"):
        yield Part("msync", known["msync"], f"msync {known['msync']}")
    if known.get("async_depth"):
        yield Part("async_depth", known["async_depth"], f"QD {known['async_depth']}")
    yield from flags(known, **_FLAGS)
    if known.get("think_time"):
        yield Part(
            "think_time",
            known["think_time"],
            message("%(time)s ms of computing", time=str(known["think_time"])),
        )
    for name, template, default in (
        ("cache_size", _("cache %(size)s"), CACHE_SIZE),
        ("cache_line", _("cache line %(size)s"), CACHE_LINE),
    ):
        if known.get(name) != default:
            yield from size_part(known, name, template)
