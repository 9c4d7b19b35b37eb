"""Form fields of fio's parameters, with names and rules of fio(1)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

MODES = (
    *("read", "write", "randread", "randwrite", "rw", "randrw"),
    *("trim", "randtrim", "trimwrite", "randtrimwrite"),
)
ENGINES = (
    *("libaio", "io_uring", "sync", "psync", "vsync", "pvsync", "pvsync2"),
    *("posixaio", "mmap", "null", "rbd", "io_uring_cmd"),
)
POLICIES = ("shared", "split")
_WEEK = 7 * 86400
_EXBIBYTE = 1024**6

BASICS: Mapping[str, Field] = {
    "rw": Field(
        "choice",
        _("Access pattern"),
        _(
            "What is done, in which order. Everything but read and randread destroys what is on a "
            "disk; rw and randrw mix reads and writes; the trim patterns discard blocks and need a "
            "disk."
        ),
        choices=MODES,
        role="operation",
    ),
    "bs": Field(
        "size",
        _("Block size"),
        _("Bytes per operation. IOPS are compared at 4k, throughput at 4M."),
        minimum=512,
        maximum=1024**3,
        unit=_("bytes"),
        role="block",
    ),
    "size": Field(
        "size",
        _("Address space"),
        _(
            "The part of the disk, or the size of the file, each job works on. "
            "Empty: the whole disk. "
            "A small space measures the cache."
        ),
        minimum=512,
        maximum=_EXBIBYTE,
        unit=_("bytes"),
        optional=True,
        role="size",
        empty_label=_("the whole disk"),
    ),
    "iodepth": Field(
        "int",
        _("Queue depth"),
        _("Operations each job keeps in flight."),
        minimum=1,
        maximum=4096,
        role="depth",
    ),
    "numjobs": Field(
        "int",
        _("Jobs"),
        _(
            "How many jobs do the same at once. In a directory each has its own file, unless they "
            "share one."
        ),
        minimum=1,
        maximum=1024,
        role="jobs",
    ),
    "runtime": Field(
        "duration",
        _("Run time"),
        _("How long is measured; when not timed, how long at most, and 0 for no limit."),
        minimum=0,
        maximum=_WEEK,
        unit="s",
        role="time",
    ),
    "rwmixread": Field(
        "int",
        _("Reads in a mix"),
        _("Share of reads for rw and randrw."),
        minimum=0,
        maximum=100,
        unit="%",
    ),
}

TIME: Mapping[str, Field] = {
    "time_based": Field(
        "flag",
        _("Run for the whole time"),
        _("Start over when the address space is done, until the run time is over."),
        group=_("Time"),
    ),
    "ramp_time": Field(
        "duration",
        _("Ramp time"),
        _("Run this long before measuring starts."),
        minimum=0,
        maximum=_WEEK,
        unit="s",
        group=_("Time"),
    ),
    "loops": Field(
        "int",
        _("Passes"),
        _("How often the address space is worked through when the test is not timed."),
        minimum=1,
        maximum=1000,
        group=_("Time"),
    ),
    "rate_iops": Field(
        "int",
        _("Limit"),
        _("Do not exceed this rate per job and direction. Empty: as fast as it goes."),
        minimum=1,
        maximum=100_000_000,
        unit=_("operations/s"),
        group=_("Time"),
        optional=True,
        role="rate",
    ),
}

ENGINE: Mapping[str, Field] = {
    "ioengine": Field(
        "choice",
        _("I/O engine"),
        _(
            "How operations reach the kernel. libaio is asynchronous only with direct I/O; mmap "
            "and those with sync in their name have one operation in flight per job; null does "
            "nothing, which shows what the host itself can do; rbd works on an image that is made "
            "in a Ceph pool; io_uring_cmd sends NVMe commands beside the block layer."
        ),
        choices=ENGINES,
        group=_("Engine"),
    ),
    "direct": Field(
        "flag",
        _("Direct I/O"),
        _(
            "Bypass the page cache. Without it the host's memory is measured as "
            "well; the page cache "
            "is dropped before the test starts."
        ),
        group=_("Engine"),
    ),
    "invalidate": Field(
        "flag",
        _("Invalidate cache"),
        _("Drop cached pages of the target when the test starts."),
        group=_("Engine"),
    ),
    "thread": Field(
        "flag",
        _("Threads"),
        _("Jobs are threads of one process rather than processes."),
        group=_("Engine"),
    ),
    "cpus_allowed": Field(
        "cpus",
        _("CPUs"),
        _("CPUs the jobs may run on, such as 0-3,8."),
        group=_("Engine"),
        optional=True,
    ),
    "cpus_allowed_policy": Field(
        "choice",
        _("CPU policy"),
        _("shared: every job may use all of the CPUs; split: one CPU for each job."),
        choices=POLICIES,
        group=_("Engine"),
    ),
}

DATA: Mapping[str, Field] = {
    "offset": Field(
        "size",
        _("Offset"),
        _("Where the address space starts."),
        minimum=0,
        maximum=_EXBIBYTE,
        unit=_("bytes"),
        group=_("Data"),
    ),
    "shared_file": Field(
        "flag",
        _("One file for all jobs"),
        _(
            "In a directory all jobs work on one file, which is laid out before the test, instead "
            "of a file for each. On a disk they always share it."
        ),
        group=_("Data"),
    ),
    "refill_buffers": Field(
        "flag",
        _("Fresh data for each write"),
        _(
            "Fill the buffer anew before each write, so that devices cannot "
            "compress or deduplicate."
        ),
        group=_("Data"),
    ),
    "norandommap": Field(
        "flag",
        _("No random map"),
        _("Random offsets may repeat; otherwise each block is visited once per pass."),
        group=_("Data"),
    ),
    "randrepeat": Field(
        "flag",
        _("Repeatable offsets"),
        _("The same random offsets in each run. A cache may have learned them."),
        group=_("Data"),
    ),
    "fsync": Field(
        "int",
        _("Sync after writes"),
        _("Sync the file after this many writes. 0: never."),
        minimum=0,
        maximum=1_000_000_000,
        group=_("Data"),
    ),
    "fdatasync": Field(
        "int",
        _("Sync data after writes"),
        _(
            "Sync the file's data, without what is known about the file, after "
            "this many writes, as "
            "databases and etcd do. 0: never."
        ),
        minimum=0,
        maximum=1_000_000_000,
        group=_("Data"),
    ),
    "end_fsync": Field(
        "flag",
        _("Sync at the end"),
        _("Sync the file when the writing is done."),
        group=_("Data"),
    ),
    "group_reporting": Field(
        "flag",
        _("Report jobs together"),
        _("One result for all jobs; otherwise each job's figures are stored beside the total."),
        group=_("Data"),
    ),
}

FIELDS: Mapping[str, Field] = {**BASICS, **TIME, **ENGINE, **DATA}
