"""Typed settings of block queues, CPUs and their frequency governor.

Kind "queue" are the files of /sys/block/<disk>/queue (Linux: Documentation/ABI/stable/sysfs-block,
Documentation/block/switching-sched.rst). Kind "cpu" places the threads of a test; kind "governor"
applies to all CPUs of a host (Documentation/admin-guide/pm/cpufreq.rst).
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from apps.tuning.domain.setting_definition import SettingDefinition
from apps.tuning.schemas.settings import CPU, GOVERNOR, PINNING

HOST_SETTINGS = (
    SettingDefinition(
        "scheduler",
        lazy("I/O scheduler"),
        lazy(
            "In which order requests reach the disk. none suits NVMe and SSDs, mq-deadline SATA "
            "and SAS disks, bfq slow disks that many share. Kernels before 5.0 name them noop, "
            "deadline and cfq. A disk offers only some of them."
        ),
        choices=tuple(
            (name, name)
            for name in ("none", "mq-deadline", "kyber", "bfq", "noop", "deadline", "cfq")
        ),
    ),
    SettingDefinition(
        "max_sectors_kb",
        lazy("Largest request"),
        lazy(
            "Larger operations are split into requests of this size. The disk's own limit "
            "(max_hw_sectors_kb) is the most it takes."
        ),
        unit="KiB",
        minimum=4,
        maximum=1_048_576,
    ),
    SettingDefinition(
        "rq_affinity",
        lazy("Completion CPU"),
        lazy(
            "Which CPU finishes a request. 2 spreads a fast disk's load over the CPUs that use it."
        ),
        choices=(
            ("0", lazy("0: any CPU")),
            ("1", lazy("1: the group of CPUs that submitted")),
            ("2", lazy("2: exactly the CPU that submitted")),
        ),
    ),
    SettingDefinition(
        "nr_requests",
        lazy("Requests in the queue"),
        lazy(
            "How many requests the block layer keeps waiting for each direction. Some drivers "
            "limit it to the depth of the hardware queue."
        ),
        unit=lazy("requests"),
        minimum=4,
        maximum=65_536,
    ),
    SettingDefinition(
        "read_ahead_kb",
        lazy("Read-ahead"),
        lazy("How much is read in advance. It changes buffered reads only, not direct I/O."),
        unit="KiB",
        minimum=0,
        maximum=1_048_576,
    ),
    SettingDefinition(
        "nomerges",
        lazy("Merging of requests"),
        lazy(
            "Whether neighbouring requests become one before they reach the disk. Looking for "
            "neighbours costs CPU time that random I/O on a fast disk never gets back."
        ),
        choices=(
            ("0", lazy("0: as far as possible")),
            ("1", lazy("1: only the cheap ways")),
            ("2", lazy("2: never")),
        ),
    ),
    SettingDefinition(
        "wbt_lat_usec",
        lazy("Writeback throttling"),
        lazy(
            "Buffered writes are held back while reads take longer than this. 0 switches that off."
        ),
        unit="µs",
        minimum=0,
        maximum=10_000_000,
    ),
    SettingDefinition(
        "rotational",
        lazy("Taken for a spinning disk"),
        lazy(
            "Schedulers, file systems and Ceph treat spinning disks otherwise. A virtual disk or a "
            "RAID controller may report the wrong type."
        ),
        choices=(("0", lazy("0: no")), ("1", lazy("1: yes"))),
    ),
    SettingDefinition(
        "add_random",
        lazy("Entropy from its interrupts"),
        lazy("Whether the end of each request feeds the kernel's random numbers."),
        choices=(("0", lazy("0: no")), ("1", lazy("1: yes"))),
    ),
    SettingDefinition(
        "io_timeout",
        lazy("Time limit of a request"),
        lazy("After this the driver gives a request up and resets the device."),
        unit="ms",
        minimum=1,
        maximum=10_000_000,
    ),
    SettingDefinition(
        "discard_max_bytes",
        lazy("Largest discard"),
        lazy(
            "Blocks are given back in pieces of this size, so that a long discard does not hold "
            "reads up. 0 switches discarding off; discard_max_hw_bytes is the most it takes."
        ),
        unit=lazy("bytes"),
        minimum=0,
        maximum=(1 << 32) - 1,
    ),
    SettingDefinition(
        "io_poll",
        lazy("Polled completions"),
        lazy(
            "Whether a thread may poll for the end of its request instead of waiting for the "
            "interrupt. Drivers since kernel 5.18 decide that when they are loaded "
            "(nvme.poll_queues), and only show it here."
        ),
        choices=(("0", lazy("0: no")), ("1", lazy("1: yes"))),
    ),
    SettingDefinition(
        "io_poll_delay",
        lazy("Wait before polling"),
        lazy("-1 polls all the time, 0 waits as long as the kernel finds best. Before kernel 6.4."),
        unit="µs",
        minimum=-1,
        maximum=1_000_000,
    ),
    SettingDefinition(
        "stable_writes",
        lazy("Pages stay as they are while written"),
        lazy("Disks with checksums need it; it makes those wait who write to such a page again."),
        choices=(("0", lazy("0: no")), ("1", lazy("1: yes"))),
    ),
    SettingDefinition(
        PINNING,
        lazy("Threads on CPUs"),
        lazy(
            "Each job gets a CPU of its own: the first CPU of every hardware queue of the disk, "
            "then the second of every queue, until all jobs are placed (fio's cpus_allowed with "
            "the policy split)."
        ),
        choices=(("split", lazy("one CPU per hardware queue")),),
        kind=CPU,
    ),
    SettingDefinition(
        "scaling_governor",
        lazy("CPU governor"),
        lazy(
            "Which clock the CPUs of every host of the test run at. performance keeps it high, so "
            "that a short request does not wait for a slow CPU. Virtual machines mostly offer none."
        ),
        choices=tuple(
            (name, name)
            for name in ("performance", "powersave", "schedutil", "ondemand", "conservative")
        ),
        kind=GOVERNOR,
    ),
)
