"""Names and values of a scratch file system's settings: its type, how it is made, how it is
mounted. Whatever is not listed here reaches neither mkfs nor mount(2).

Values of mkfs: mke2fs(8), mkfs.xfs(8), mkfs.btrfs(8); of mounting: mount(8), ext4(5), xfs(5),
btrfs(5). Listed is only what can be read back: of the first in the superblock, of the second in
/proc/self/mountinfo or /proc/fs/ext4.
"""

import re
from typing import Dict, List, Mapping, Tuple

TYPE, MOUNT_OPTIONS, MOUNTED = "filesystem", "mount_options", "mounted"
BLOCK, INODE, JOURNAL = "fs_block_size", "fs_inode_size", "fs_journal"
GROUPS, NODE, CHECKSUM = "fs_allocation_groups", "fs_node_size", "fs_checksum"
# Of a RAID below: KiB on one of its disks before the next one's turn, and disks that carry data.
STRIPE_UNIT, STRIPE_DISKS = "fs_stripe_unit", "fs_stripe_disks"
STRIPE = (STRIPE_UNIT, STRIPE_DISKS)
TYPES = ("ext4", "xfs", "btrfs")
_NUMBER = r"[1-9][0-9]{0,5}"
_UNIT, _DISKS = "4|8|16|32|64|128|256|512|1024", r"[1-9][0-9]{0,2}"
# What mkfs of each type can be told, with its values as one expression.
MADE_WITH: Mapping[str, Mapping[str, str]] = {
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
_MOUNTED_WITH: Mapping[str, str] = {
    "ext4": r"data=(?:ordered|writeback|journal)|(?:no)?discard|(?:no)?delalloc|(?:no)?barrier"
    r"|(?:no)?auto_da_alloc|dioread_(?:no)?lock|(?:commit|stripe|inode_readahead_blks)=N"
    r"|(?:min|max)_batch_time=(?:0|N)",
    "xfs": r"(?:no)?discard|(?:no)?largeio|swalloc|noalign|wsync|inode(?:32|64)|filestreams"
    r"|allocsize=Nk|logbufs=[2-8]|logbsize=(?:32|64|128|256)k",
    "btrfs": r"compress(?:-force)?=(?:lzo|(?:zlib|zstd)(?::[1-9][0-9]?)?)|nodatacow|nodatasum"
    r"|(?:no)?ssd|ssd_spread|discard(?:=async|=sync)?|nodiscard|autodefrag|commit=N"
    r"|max_inline=(?:0|N)|nobarrier|notreelog|flushoncommit",
}
# What the kernel shows under another name, or only by showing nothing that begins so.
_SHOWN_AS: Mapping[Tuple[str, str], str] = {
    ("ext4", "dioread_lock"): "nodioread_nolock",
    ("btrfs", "discard=sync"): "discard",
}
_SHOWN_BY_NOTHING: Mapping[Tuple[str, str], str] = {
    ("xfs", "nodiscard"): "discard",
    ("xfs", "nolargeio"): "largeio",
    ("btrfs", "nodiscard"): "discard",
    ("btrfs", "commit=30"): "commit=",
    ("btrfs", "max_inline=2048"): "max_inline=",
}


def options_of(text: str) -> List[str]:
    """Mount options as they are written, between commas."""
    return [word for word in text.replace(" ", "").split(",") if word]


def is_option(kind: str, option: str) -> bool:
    """Whether a file system of this type may be mounted with an option."""
    pattern = _MOUNTED_WITH[kind].replace("N", _NUMBER)
    return option in FLAGS or bool(re.fullmatch(pattern, option))


def in_force(kind: str, option: str, shown: List[str]) -> bool:
    """Whether a mount whose options the kernel shows so has this one."""
    if option == "strictatime":
        return not {"noatime", "relatime"} & set(shown)
    begin = _SHOWN_BY_NOTHING.get((kind, option))
    if begin and not any(word.startswith(begin) for word in shown):
        return True
    wanted = _SHOWN_AS.get((kind, option), option)
    # Of compression the kernel also names the level that was not asked for.
    return any(word == wanted or word.startswith(wanted + ":") for word in shown)


def fault(values: Dict[str, str]) -> Tuple[str, str]:
    """The first setting of a file system that cannot be meant: its name, and "" or the value that
    it cannot have, "" also for half a stripe; two empty texts where all can. `values` has each
    setting once.
    """
    kind = values.get(TYPE, "")
    if kind not in TYPES:
        return TYPE, kind
    for name, value in values.items():
        if name == MOUNT_OPTIONS:
            strange = [one for one in options_of(value) if not is_option(kind, one)]
            if strange or not options_of(value):
                return name, ",".join(strange)
        elif name != TYPE:
            pattern = MADE_WITH[kind].get(name)
            if pattern is None or not re.fullmatch(pattern, value):
                return name, value if pattern else ""
    lacking = [name for name in STRIPE if name not in values]
    return (lacking[0], "") if len(lacking) == 1 else ("", "")
