"""Names and values of a scratch file system's settings: type, mkfs options, mount options.

Anything else reaches neither mkfs nor mount(2). mkfs values: mke2fs(8), mkfs.xfs(8), mkfs.btrfs(8);
mount options: mount(8), ext4(5), xfs(5), btrfs(5). Only values that can be read back are listed:
from the superblock, /proc/self/mountinfo or /proc/fs/ext4.
"""

import re
from typing import Dict, List, Mapping, Tuple

TYPE, MOUNT_OPTIONS, MOUNTED = "filesystem", "mount_options", "mounted"
BLOCK, INODE, JOURNAL = "fs_block_size", "fs_inode_size", "fs_journal"
GROUPS, NODE, CHECKSUM = "fs_allocation_groups", "fs_node_size", "fs_checksum"
# Of a RAID below: chunk size per disk in KiB, and the number of data disks.
STRIPE_UNIT, STRIPE_DISKS = "fs_stripe_unit", "fs_stripe_disks"
STRIPE = (STRIPE_UNIT, STRIPE_DISKS)
TYPES = ("ext4", "xfs", "btrfs")
_NUMBER = r"[1-9][0-9]{0,5}"
_UNIT, _DISKS = "4|8|16|32|64|128|256|512|1024", r"[1-9][0-9]{0,2}"
# Settings of mkfs by type, with a pattern of the values.
MKFS_SETTINGS: Mapping[str, Mapping[str, str]] = {
    "ext4": {
        BLOCK: "1024|2048|4096",
        INODE: "128|256|512|1024",
        JOURNAL: "yes|no",
        STRIPE_UNIT: _UNIT,
        STRIPE_DISKS: _DISKS,
    },
    "xfs": {
        BLOCK: "1024|2048|4096",
        INODE: "512|1024|2048",
        GROUPS: _NUMBER,
        STRIPE_UNIT: _UNIT,
        STRIPE_DISKS: _DISKS,
    },
    "btrfs": {NODE: "4096|8192|16384|32768|65536", CHECKSUM: "crc32c|xxhash|sha256|blake2"},
}
# Flags of mount(2), <linux/mount.h>; the others are handed to the file system.
FLAGS: Mapping[str, int] = {
    "sync": 1 << 4,
    "dirsync": 1 << 7,
    "noatime": 1 << 10,
    "nodiratime": 1 << 11,
    "relatime": 1 << 21,
    "strictatime": 1 << 24,
    "lazytime": 1 << 25,
}
_MOUNT_OPTION_PATTERNS: Mapping[str, str] = {
    "ext4": r"data=(?:ordered|writeback|journal)|(?:no)?discard|(?:no)?delalloc|(?:no)?barrier"
    r"|(?:no)?auto_da_alloc|dioread_(?:no)?lock|(?:commit|stripe|inode_readahead_blks)=N"
    r"|(?:min|max)_batch_time=(?:0|N)",
    "xfs": r"(?:no)?discard|(?:no)?largeio|swalloc|noalign|wsync|inode(?:32|64)|filestreams"
    r"|allocsize=Nk|logbufs=[2-8]|logbsize=(?:32|64|128|256)k",
    "btrfs": r"compress(?:-force)?=(?:lzo|(?:zlib|zstd)(?::[1-9][0-9]?)?)|nodatacow|nodatasum"
    r"|(?:no)?ssd|ssd_spread|discard(?:=async|=sync)?|nodiscard|autodefrag|commit=N"
    r"|max_inline=(?:0|N)|nobarrier|notreelog|flushoncommit",
}
# Options that the kernel displays under another name, or by the absence of a prefix.
_DISPLAYED_AS: Mapping[Tuple[str, str], str] = {
    ("ext4", "dioread_lock"): "nodioread_nolock",
    ("btrfs", "discard=sync"): "discard",
}
_DISPLAYED_BY_ABSENCE: Mapping[Tuple[str, str], str] = {
    ("xfs", "nodiscard"): "discard",
    ("xfs", "nolargeio"): "largeio",
    ("btrfs", "nodiscard"): "discard",
    ("btrfs", "commit=30"): "commit=",
    ("btrfs", "max_inline=2048"): "max_inline=",
}


def split_options(text: str) -> List[str]:
    """Return the comma-separated mount options."""
    return [word for word in text.replace(" ", "").split(",") if word]


def is_option(kind: str, option: str) -> bool:
    """Return True if a file system of this type may be mounted with an option."""
    pattern = _MOUNT_OPTION_PATTERNS[kind].replace("N", _NUMBER)
    return option in FLAGS or bool(re.fullmatch(pattern, option))


def is_effective(kind: str, option: str, displayed: List[str]) -> bool:
    """Return True if a mount with these displayed options has this option."""
    if option == "strictatime":
        return not {"noatime", "relatime"} & set(displayed)
    begin = _DISPLAYED_BY_ABSENCE.get((kind, option))
    if begin and not any(word.startswith(begin) for word in displayed):
        return True
    wanted = _DISPLAYED_AS.get((kind, option), option)
    # Of compression the kernel also displays the default level.
    return any(word == wanted or word.startswith(wanted + ":") for word in displayed)


def invalid_setting(values: Dict[str, str]) -> Tuple[str, str]:
    """Return name and value of the first invalid setting; two empty texts if all are valid.

    The value is "" for an unknown name or half a stripe.
    """
    kind = values.get(TYPE, "")
    if kind not in TYPES:
        return TYPE, kind
    for name, value in values.items():
        if name == MOUNT_OPTIONS:
            strange = [one for one in split_options(value) if not is_option(kind, one)]
            if strange or not split_options(value):
                return name, ",".join(strange)
        elif name != TYPE:
            pattern = MKFS_SETTINGS[kind].get(name)
            if pattern is None or not re.fullmatch(pattern, value):
                return name, value if pattern else ""
    lacking = [name for name in STRIPE if name not in values]
    return (lacking[0], "") if len(lacking) == 1 else ("", "")
