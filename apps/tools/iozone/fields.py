"""Fields of iozone's parameters; the letters are those of iozone(1)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

OPERATIONS = (
    *("write", "read", "random", "backward_read", "record_rewrite", "stride_read"),
    *("fwrite", "fread", "random_mix", "pwrite", "pread"),
)
KIB = 1024
MAX_RECORD = 16 * KIB**2

BASICS: Mapping[str, Field] = {
    "operation": Field(
        "choice",
        _("Operation"),
        _(
            "What is done with the file. write, read, fwrite and fread are followed by their "
            "repetition (rewrite, reread, ...); random reads, then writes; random_mix does both at "
            "once; pwrite and pread name the offset in the call that moves the data."
        ),
        choices=OPERATIONS,
        role="operation",
    ),
    "file_size": Field(
        "size",
        _("File size"),
        _(
            "The size of the file, or of each thread's file. A file smaller than "
            "the memory measures "
            "the page cache."
        ),
        minimum=64 * KIB,
        maximum=64 * KIB**4,
        unit=_("bytes"),
        role="size",
    ),
    "record_size": Field(
        "size",
        _("Record size"),
        _("Bytes per operation."),
        minimum=KIB,
        maximum=MAX_RECORD,
        unit=_("bytes"),
        role="block",
    ),
    "threads": Field(
        "int",
        _("Threads"),
        _(
            "How many do the same at once, each in a file of its own. Above 1 "
            "the figures are those of "
            "all together."
        ),
        minimum=1,
        maximum=256,
        role="jobs",
    ),
}

ENGINE: Mapping[str, Field] = {
    "direct": Field(
        "flag",
        _("Direct I/O"),
        _(
            "Bypass the page cache (-I). Without it the host's memory is "
            "measured as well; the page "
            "cache is dropped before the test starts."
        ),
        group=_("Engine"),
    ),
    "sync": Field(
        "flag",
        _("Synchronous writes"),
        _("Open the file so that each write waits for the device (-o)."),
        group=_("Engine"),
    ),
    "include_fsync": Field(
        "flag",
        _("Count the flush"),
        _("Sync the file at the end of writing and count the time (-e)."),
        group=_("Engine"),
    ),
    "include_close": Field(
        "flag",
        _("Count the closing"),
        _("Count the time that closing the file takes (-c)."),
        group=_("Engine"),
    ),
    "mmap": Field(
        "flag",
        _("Memory-mapped file"),
        _("Read and write through a mapping of the file (-B)."),
        group=_("Engine"),
    ),
    "msync": Field(
        "choice",
        _("Flush of the mapping"),
        _(
            "How a mapping's changes are sent to the device: started (async, -D) "
            "or waited for (sync, "
            "-G)."
        ),
        choices=("none", "async", "sync"),
        group=_("Engine"),
    ),
    "async_depth": Field(
        "int",
        _("Asynchronous depth"),
        _("POSIX asynchronous I/O with so many operations in flight (-k). 0: one after another."),
        minimum=0,
        maximum=1024,
        group=_("Engine"),
        role="depth",
    ),
    "async_copies": Field(
        "flag",
        _("Copy asynchronous data"),
        _("Asynchronous operations have buffers of their own, from which data is copied (-H)."),
        group=_("Engine"),
    ),
    "retest": Field(
        "flag",
        _("Repeat"),
        _("Measure the repetition too: rewrite, reread and their kin. Off: -+n."),
        group=_("Engine"),
    ),
    "stride": Field(
        "int",
        _("Stride"),
        _("How far apart the records are that stride_read reads."),
        minimum=1,
        maximum=1_000_000,
        unit=_("records"),
        group=_("Engine"),
    ),
}

PROCESS: Mapping[str, Field] = {
    "pthreads": Field(
        "flag",
        _("POSIX threads"),
        _("Threads of one process rather than processes, in throughput mode (-T)."),
        group=_("Process"),
    ),
    "lock_file": Field(
        "flag",
        _("Lock the file"),
        _("Lock the file for each reading or writing (-W)."),
        group=_("Process"),
    ),
    "think_time": Field(
        "int",
        _("Compute before each record"),
        _("Compute so long before each operation; it is not counted (-J)."),
        minimum=0,
        maximum=60_000,
        unit="ms",
        group=_("Process"),
    ),
    "multiple_buffers": Field(
        "flag",
        _("Several buffers"),
        _("Take the next buffer for each operation rather than the same one (-m)."),
        group=_("Process"),
    ),
    "mixed_mmap": Field(
        "flag",
        _("Mapping beside the file"),
        _("Mix access through the mapping with access through the file (-Z)."),
        group=_("Process"),
    ),
    "cache_size": Field(
        "size",
        _("Processor's cache"),
        _("The cache iozone lays out its buffers for (-S)."),
        minimum=KIB,
        maximum=KIB**3,
        unit=_("bytes"),
        group=_("Process"),
    ),
    "cache_line": Field(
        "size",
        _("Line of the cache"),
        _("The line of the processor's cache that iozone lays out its buffers for (-L)."),
        minimum=8,
        maximum=4 * KIB,
        unit=_("bytes"),
        group=_("Process"),
    ),
}

FIELDS: Mapping[str, Field] = {**BASICS, **ENGINE, **PROCESS}
