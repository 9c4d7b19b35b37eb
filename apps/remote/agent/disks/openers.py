"""Processes that use a disk: by an open descriptor, or by a mapping whose descriptor is closed."""

import os
import stat
from typing import Dict, List, Optional, Tuple

from ..files import list_folder, read_text
from ..jobs.tree import is_writable
from .blocks import Block

SENTENCES = {
    "open": "Open: process {} ({}) has {} open for {}; stop it first.",
    "mapped": "Mapped: process {} ({}) has {} mapped into its memory for {}; stop it first.",
}
# What a line of /proc/<pid>/maps says of its file: device, inode, path.
Mapped = Tuple[str, str, str]
Use = Tuple[str, str, str]


class Openers:
    """One look at all processes. What a mapped file is, is asked once: a host's thousands of
    processes share a few hundred of them.
    """

    def __init__(self, block: Block) -> None:
        self.devices = block.devices()
        self.known: Dict[Mapped, int] = {}

    def sentences(self) -> List[str]:
        """One for each process and each way in which it uses the disk; this process aside."""
        found = []
        for pid in list_folder("/proc"):
            if not pid.isdigit() or int(pid) == os.getpid():
                continue
            for how, name, mode in sorted(self.uses(pid)):
                command = read_text("/proc/{}/comm".format(pid)) or "?"
                found.append(SENTENCES[how].format(pid, command, name, mode))
        return found

    def uses(self, pid: str) -> List[Use]:
        """(open or mapped, the device's name, writing or reading) of a process, each device once
        for each way, writing before reading.
        """
        folder = living_thread(pid)
        found: Dict[Tuple[str, str], bool] = {}
        for how, number, writes in self.opened(folder) + self.mapped(folder):
            if number in self.devices:
                key = how, self.devices[number]
                found[key] = found.get(key, False) or writes
        modes = {True: "writing", False: "reading"}
        return [(how, name, modes[writes]) for (how, name), writes in found.items()]

    def opened(self, folder: str) -> List[Tuple[str, int, bool]]:
        """The block devices that a process has open."""
        found = []
        for fd in list_folder(folder + "/fd"):
            number = device_at("{}/fd/{}".format(folder, fd))
            if number in self.devices:
                found.append(("open", number, is_writable(folder, fd)))
        return found

    def mapped(self, folder: str) -> List[Tuple[str, int, bool]]:
        """The block devices of a process's mappings (proc(5), /proc/pid/maps: the range, its
        rights, the offset, and device, inode and path of the file).
        """
        found = []
        for line in (read_text(folder + "/maps") or "").splitlines():
            fields = line.split(None, 5)
            if len(fields) == 6 and fields[4] != "0":
                number = self.device_of(folder, fields)
                found.append(("mapped", number, "w" in fields[1] and "s" in fields[1]))
        return found

    def device_of(self, folder: str, fields: List[str]) -> int:
        """The device number of a mapped block device, 0 for any other file. The kernel's own link
        to what is mapped is asked, as the path may be gone or lead elsewhere.
        """
        key = fields[3], fields[4], fields[5]
        if key not in self.known:
            number = device_at("{}/map_files/{}".format(folder, plain_range(fields[0])))
            if number is None:
                # Kernels without that link, or the mapping ended: the path has to do.
                number = device_at(fields[5].replace(" (deleted)", ""))
            self.known[key] = number or 0
        return self.known[key]


def living_thread(pid: str) -> str:
    """The folder in /proc to ask: a process whose first thread has ended says nothing itself, while
    its other threads go on.
    """
    folder = "/proc/" + pid
    if not is_zombie(folder):
        return folder
    threads = ["{}/task/{}".format(folder, thread) for thread in list_folder(folder + "/task")]
    return next((thread for thread in threads if not is_zombie(thread)), folder)


def is_zombie(folder: str) -> bool:
    """Whether a thread has ended (proc(5), the letter after the name in stat)."""
    state = (read_text(folder + "/stat") or "").rpartition(")")[2].split()
    return bool(state) and state[0] in "ZX"


def plain_range(text: str) -> str:
    """ "00400000-0040b000" as map_files has it: without leading zeros."""
    return "-".join("{:x}".format(int(end, 16)) for end in text.split("-"))


def device_at(path: str) -> Optional[int]:
    """The number of the block device a path leads to; 0 for another file, None for nothing."""
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return seen.st_rdev if stat.S_ISBLK(seen.st_mode) else 0
