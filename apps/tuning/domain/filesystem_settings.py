"""Typed settings of the scratch file system on the disks under test.

Sources: mke2fs(8), mkfs.xfs(8), mkfs.btrfs(8), mount(8).
"""

from __future__ import annotations

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
from apps.tuning.domain.setting_definition import SettingDefinition
from apps.tuning.schemas.settings import FILESYSTEM


def _sizes(*sizes: int) -> tuple[tuple[str, str], ...]:
    return tuple((str(size), str(size)) for size in sizes)


FILESYSTEM_SETTINGS = (
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
