"""The part of a file system that tests may fill: never all of it."""

import os

# What a test leaves free: a twentieth. That is what ext4 keeps for root unless told otherwise
# (mke2fs(8), -m) and where XFS begins to preallocate less (Linux: xfs_mount.c, m_low_space), so a
# test in less would measure a full file system. At least what logs and the agent's own files need
# meanwhile, and of a large file system not more than helps anybody.
SHARE = 20
LEAST, MOST = 64 << 20, 16 << 30  # bytes


def headroom(size: int, least: int = LEAST) -> int:
    """Bytes of a file system of so many bytes that tests leave free."""
    return min(max(size // SHARE, least), MOST)


def lacking(path: str, needs: int, who: str = "the test needs", least: int = LEAST) -> str:
    """The lack of room in words, when `who` needs so many bytes below a path and that would not
    leave enough; empty when there is room. `least`: bytes that stay free in any case.
    """
    room = os.statvfs(path)
    free, kept = room.f_bavail * room.f_frsize, headroom(room.f_blocks * room.f_frsize, least)
    if needs <= free - kept:
        return ""
    words = "{} bytes free, of which {} stay free so that other programs can write on, and {} {}"
    return words.format(free, kept, who, needs)
