"""The settings with a name, a type and a range of their own, and what each does.

Kind "queue" are the files of /sys/block/<disk>/queue, with the meaning of the kernel's
Documentation/ABI/stable/sysfs-block and Documentation/block/switching-sched.rst; kind "cpu" places
the test's threads; kind "governor" is of all CPUs of a host
(Documentation/admin-guide/pm/cpufreq.rst); kind "filesystem" is a scratch file system on the disks
under test (mke2fs(8), mkfs.xfs(8), mkfs.btrfs(8), mount(8)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from apps.remote.agent.disks.filesystem_names import (
    BLOCK,
    CHECKSUM,
    GROUPS,
    INODE,
    JOURNAL,
    MOUNT_OPTIONS,
    NODE,
    STRIPE_DISKS,
    STRIPE_UNIT,
    TYPE,
    TYPES,
)
from apps.tuning.schemas.settings import CPU, FILESYSTEM, GOVERNOR, PINNING, QUEUE, SettingKindName


@dataclass(frozen=True)
class SettingDefinition:
    """The values that a setting may have: with `choices` one of them, else a whole number of
    `unit`; words between commas where it is `words`.
    """

    name: str
    label: str | Promise
    help: str | Promise
    unit: str | Promise = ""
    choices: tuple[tuple[str, str | Promise], ...] = ()
    minimum: int = 0
    maximum: int = 0
    kind: SettingKindName = QUEUE
    words: bool = False


def _sizes(*sizes: int) -> tuple[tuple[str, str], ...]:
    return tuple((str(size), str(size)) for size in sizes)


_ALL = (
    SettingDefinition(
        "scheduler",
        lazy("I/O scheduler"),
        lazy(
            "In which order requests reach the disk. none suits NVMe and SSDs, mq-deadline SATA "
            "and SAS disks, bfq slow disks that many share. Kernels before 5.0 say noop, deadline "
            "and cfq. A disk offers only some of them."
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
            ("1", lazy("1: the group of CPUs that asked")),
            ("2", lazy("2: exactly the CPU that asked")),
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
            "RAID controller may say the wrong thing."
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
            "Whether a thread may ask for the end of its request instead of waiting for the "
            "interrupt. Drivers since kernel 5.18 decide that when they are loaded "
            "(nvme.poll_queues), and only show it here."
        ),
        choices=(("0", lazy("0: no")), ("1", lazy("1: yes"))),
    ),
    SettingDefinition(
        "io_poll_delay",
        lazy("Wait before polling"),
        lazy("-1 asks all the time, 0 waits as long as the kernel finds best. Before kernel 6.4."),
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
    SettingDefinition(
        TYPE,
        lazy("File system"),
        lazy(
            "Made on every disk of the test before it, mounted where only the test sees it, and "
            "taken away after it. The tool works in files there and not on the raw disk, which has "
            "to be expendable all the same."
        ),
        choices=tuple((name, name) for name in TYPES),
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        MOUNT_OPTIONS,
        lazy("Mount options"),
        lazy(
            "Between commas, such as noatime,data=writeback: those that can be read back from the "
            "kernel, which the guide lists."
        ),
        kind=FILESYSTEM,
        words=True,
    ),
    SettingDefinition(
        BLOCK,
        lazy("Block size"),
        lazy("Of ext4 and XFS. Blank is what mkfs chooses, as with the rest."),
        unit=lazy("bytes"),
        choices=_sizes(1024, 2048, 4096),
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        INODE,
        lazy("Inode size"),
        lazy("Of ext4 (128 to 1024) and XFS (512 to 2048)."),
        unit=lazy("bytes"),
        choices=_sizes(128, 256, 512, 1024, 2048),
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        JOURNAL,
        lazy("Journal"),
        lazy("Of ext4. Without one nothing is written twice, and a crash may cost files."),
        choices=(("yes", lazy("yes")), ("no", lazy("no"))),
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        GROUPS,
        lazy("Allocation groups"),
        lazy("Of XFS. Threads that allocate in different groups do not wait for one another."),
        minimum=1,
        maximum=999_999,
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        STRIPE_UNIT,
        lazy("Stripe unit"),
        lazy(
            "Of ext4 (stride) and XFS (su), on a RAID: what lies on one of its disks before the "
            "next one's turn."
        ),
        unit="KiB",
        choices=_sizes(4, 8, 16, 32, 64, 128, 256, 512, 1024),
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        STRIPE_DISKS,
        lazy("Data disks in a stripe"),
        lazy("Of ext4 (stripe_width is so many strides) and XFS (sw): without those for parity."),
        minimum=1,
        maximum=999,
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        NODE,
        lazy("Node size"),
        lazy("Of btrfs: how large the blocks of its trees are."),
        unit=lazy("bytes"),
        choices=_sizes(4096, 8192, 16384, 32768, 65536),
        kind=FILESYSTEM,
    ),
    SettingDefinition(
        CHECKSUM,
        lazy("Checksum"),
        lazy("Of btrfs: what its data and trees are checked with."),
        choices=tuple((name, name) for name in ("crc32c", "xxhash", "sha256", "blake2")),
        kind=FILESYSTEM,
    ),
)
SETTINGS: Mapping[str, SettingDefinition] = {setting.name: setting for setting in _ALL}
