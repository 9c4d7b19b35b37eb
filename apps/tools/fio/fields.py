"""fio's parameters as people meet them. The words and rules are those of fio(1)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Field

MODES = (
    *("read", "write", "randread", "randwrite", "rw", "randrw"),
    *("trim", "randtrim", "trimwrite"),
)
ENGINES = ("libaio", "io_uring", "sync", "psync", "pvsync2", "posixaio")
POLICIES = ("shared", "split")
_WEEK = 7 * 86400
_EXBIBYTE = 1024**6

BASICS: Mapping[str, Field] = {
    "rw": Field(
        "choice",
        "Access pattern",
        "What is done, in which order. Everything but read and randread destroys what is on a "
        "disk; rw and randrw mix reads and writes; the trim patterns discard blocks and need a "
        "disk.",
        choices=MODES,
        role="operation",
    ),
    "bs": Field(
        "size",
        "Block size",
        "Bytes per operation. IOPS are compared at 4k, throughput at 4M.",
        minimum=512,
        maximum=1024**3,
        unit="bytes",
        role="block",
    ),
    "size": Field(
        "size",
        "Address space",
        "The part of the disk, or the size of the file, each job works on. Empty: the whole disk. "
        "A small space measures the cache.",
        minimum=512,
        maximum=_EXBIBYTE,
        unit="bytes",
        optional=True,
        role="size",
    ),
    "iodepth": Field(
        "int",
        "Queue depth",
        "Operations each job keeps in flight.",
        minimum=1,
        maximum=4096,
        role="depth",
    ),
    "numjobs": Field(
        "int",
        "Jobs",
        "How many jobs do the same at once. In a directory each has its own file.",
        minimum=1,
        maximum=1024,
        role="jobs",
    ),
    "runtime": Field(
        "duration",
        "Run time",
        "How long is measured; when not timed, how long at most.",
        minimum=1,
        maximum=_WEEK,
        unit="s",
        role="time",
    ),
    "rwmixread": Field(
        "int",
        "Reads in a mix",
        "Share of reads for rw and randrw.",
        minimum=0,
        maximum=100,
        unit="%",
    ),
}

TIME: Mapping[str, Field] = {
    "time_based": Field(
        "flag",
        "Run for the whole time",
        "Start over when the address space is done, until the run time is over.",
        group="Time",
    ),
    "ramp_time": Field(
        "duration",
        "Ramp time",
        "Run this long before measuring starts.",
        minimum=0,
        maximum=_WEEK,
        unit="s",
        group="Time",
    ),
    "loops": Field(
        "int",
        "Passes",
        "How often the address space is worked through when the test is not timed.",
        minimum=1,
        maximum=1000,
        group="Time",
    ),
    "rate_iops": Field(
        "int",
        "Limit",
        "Do not exceed this rate per job and direction. Empty: as fast as it goes.",
        minimum=1,
        maximum=100_000_000,
        unit="operations/s",
        group="Time",
        optional=True,
    ),
}

ENGINE: Mapping[str, Field] = {
    "ioengine": Field(
        "choice",
        "I/O engine",
        "How operations reach the kernel. libaio is asynchronous only with direct I/O; sync, "
        "psync and pvsync2 have one operation in flight per job.",
        choices=ENGINES,
        group="Engine",
    ),
    "direct": Field(
        "flag",
        "Direct I/O",
        "Bypass the page cache. Without it the host's memory is measured as well; the page cache "
        "is dropped before the test starts.",
        group="Engine",
    ),
    "invalidate": Field(
        "flag",
        "Invalidate cache",
        "Drop cached pages of the target when the test starts.",
        group="Engine",
    ),
    "thread": Field(
        "flag",
        "Threads",
        "Jobs are threads of one process rather than processes.",
        group="Engine",
    ),
    "cpus_allowed": Field(
        "cpus",
        "CPUs",
        "CPUs the jobs may run on, such as 0-3,8.",
        group="Engine",
        optional=True,
    ),
    "cpus_allowed_policy": Field(
        "choice",
        "CPU policy",
        "shared: every job may use all of the CPUs; split: one CPU for each job.",
        choices=POLICIES,
        group="Engine",
    ),
}

DATA: Mapping[str, Field] = {
    "offset": Field(
        "size",
        "Offset",
        "Where the address space starts.",
        minimum=0,
        maximum=_EXBIBYTE,
        unit="bytes",
        group="Data",
    ),
    "refill_buffers": Field(
        "flag",
        "Fresh data for each write",
        "Fill the buffer anew before each write, so that devices cannot compress or deduplicate.",
        group="Data",
    ),
    "norandommap": Field(
        "flag",
        "No random map",
        "Random offsets may repeat; otherwise each block is visited once per pass.",
        group="Data",
    ),
    "randrepeat": Field(
        "flag",
        "Repeatable offsets",
        "The same random offsets in each run. A cache may have learned them.",
        group="Data",
    ),
    "fsync": Field(
        "int",
        "Sync after writes",
        "Sync the file after this many writes. 0: never.",
        minimum=0,
        maximum=1_000_000_000,
        group="Data",
    ),
    "fdatasync": Field(
        "int",
        "Sync data after writes",
        "Sync the file's data, without what is known about the file, after this many writes, as "
        "databases and etcd do. 0: never.",
        minimum=0,
        maximum=1_000_000_000,
        group="Data",
    ),
    "end_fsync": Field(
        "flag",
        "Sync at the end",
        "Sync the file when the writing is done.",
        group="Data",
    ),
    "group_reporting": Field(
        "flag",
        "Report jobs together",
        "One result for all jobs; otherwise each job's figures are kept beside the total.",
        group="Data",
    ),
}

FIELDS: Mapping[str, Field] = {**BASICS, **TIME, **ENGINE, **DATA}
