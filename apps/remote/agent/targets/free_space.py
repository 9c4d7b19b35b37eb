"""Space of a file system that tests must leave free."""

import os

# Tests leave a twentieth free: ext4 reserves that for root by default (mke2fs(8), -m), and XFS
# preallocates less below it (xfs_mount.c, m_low_space), so a test would measure a full file system.
# The minimum is for logs and the agent's files; the maximum is enough for large file systems.
RESERVED_DIVISOR = 20
MIN_RESERVED_BYTES, MAX_RESERVED_BYTES = 64 << 20, 16 << 30  # bytes

NEEDS = (
    "{} bytes free, of which {} stay free so that other programs can write on, and the test needs "
    "{}"
)
TOGETHER = (
    "{} bytes free, of which {} stay free so that other programs can write on, and together they "
    "need {}"
)


def reserved_bytes(size: int, min_reserved: int = MIN_RESERVED_BYTES) -> int:
    """Return the bytes of a file system of this size that tests leave free."""
    return min(max(size // RESERVED_DIVISOR, min_reserved), MAX_RESERVED_BYTES)


def shortage(
    path: str, needs: int, sentence: str = NEEDS, min_reserved: int = MIN_RESERVED_BYTES
) -> str:
    """Return why `needs` bytes do not fit below a path; "" if they do.

    `sentence`: NEEDS or TOGETHER; `min_reserved`: bytes that always stay free.
    """
    status = os.statvfs(path)
    free, reserved = (
        status.f_bavail * status.f_frsize,
        reserved_bytes(status.f_blocks * status.f_frsize, min_reserved),
    )
    if needs <= free - reserved:
        return ""
    return sentence.format(free, reserved, needs)
