"""iozone's parameters as people meet them. The letters are those of iozone(1)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Field

OPERATIONS = (
    *("write", "read", "random", "backward_read", "record_rewrite", "stride_read"),
    *("fwrite", "fread", "random_mix", "pwrite", "pread"),
)
KIB = 1024
MAX_RECORD = 16 * KIB**2

BASICS: Mapping[str, Field] = {
    "operation": Field(
        "choice",
        "Operation",
        "What is done with the file. write, read, fwrite and fread are followed by their "
        "repetition (rewrite, reread, ...); random reads, then writes; random_mix does both at "
        "once; pwrite and pread name the place in the call that moves the data.",
        choices=OPERATIONS,
        role="operation",
    ),
    "file_size": Field(
        "size",
        "File size",
        "The size of the file, or of each thread's file. A file smaller than the memory measures "
        "the page cache.",
        minimum=64 * KIB,
        maximum=64 * KIB**4,
        unit="bytes",
        role="size",
    ),
    "record_size": Field(
        "size",
        "Record size",
        "Bytes per operation.",
        minimum=KIB,
        maximum=MAX_RECORD,
        unit="bytes",
        role="block",
    ),
    "threads": Field(
        "int",
        "Threads",
        "How many do the same at once, each in a file of its own. Above 1 the figures are those of "
        "all together.",
        minimum=1,
        maximum=256,
        role="jobs",
    ),
}

ENGINE: Mapping[str, Field] = {
    "direct": Field(
        "flag",
        "Direct I/O",
        "Bypass the page cache (-I). Without it the host's memory is measured as well; the page "
        "cache is dropped before the test starts.",
        group="Engine",
    ),
    "sync": Field(
        "flag",
        "Synchronous writes",
        "Open the file so that each write waits for the device (-o).",
        group="Engine",
    ),
    "include_fsync": Field(
        "flag",
        "Count the flush",
        "Sync the file at the end of writing and count the time (-e).",
        group="Engine",
    ),
    "include_close": Field(
        "flag",
        "Count the closing",
        "Count the time that closing the file takes (-c).",
        group="Engine",
    ),
    "mmap": Field(
        "flag",
        "Memory-mapped file",
        "Read and write through a mapping of the file (-B).",
        group="Engine",
    ),
    "msync": Field(
        "choice",
        "Flush of the mapping",
        "How a mapping's changes are sent to the device: started (async, -D) or waited for (sync, "
        "-G).",
        choices=("none", "async", "sync"),
        group="Engine",
    ),
    "async_depth": Field(
        "int",
        "Asynchronous depth",
        "POSIX asynchronous I/O with so many operations in flight (-k). 0: one after another.",
        minimum=0,
        maximum=1024,
        group="Engine",
        role="depth",
    ),
    "retest": Field(
        "flag",
        "Repeat",
        "Measure the repetition too: rewrite, reread and their kin. Off: -+n.",
        group="Engine",
    ),
    "stride": Field(
        "int",
        "Stride",
        "How far apart the records are that stride_read reads.",
        minimum=1,
        maximum=1_000_000,
        unit="records",
        group="Engine",
    ),
}

FIELDS: Mapping[str, Field] = {**BASICS, **ENGINE}
