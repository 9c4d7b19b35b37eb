"""Processes that use a disk: by an open descriptor, or by a mapping with a closed descriptor."""

import os
import stat
from typing import Dict, List, Optional, Tuple

from ..files import list_folder, read_text
from ..processes.tree import is_writable
from .blocks import Block

SENTENCES = {
    "open": "Open: process {} ({}) has {} open for {}; stop it first.",
    "mapped": "Mapped: process {} ({}) has {} mapped into its memory for {}; stop it first.",
}
# File of a line in /proc/<pid>/maps: device, inode, path.
MappedFile = Tuple[str, str, str]
Use = Tuple[str, str, str]


class OpenHandles:
    """One scan of all processes. Mapped files are cached, since processes share them."""

    def __init__(self, block: Block) -> None:
        self.devices = block.devices()
        self.cache: Dict[MappedFile, int] = {}

    def reasons(self) -> List[str]:
        """Return one sentence per process and kind of use, except this process."""
        result = []
        for pid in list_folder("/proc"):
            if not pid.isdigit() or int(pid) == os.getpid():
                continue
            for how, name, mode in sorted(self.uses(pid)):
                command = read_text("/proc/{}/comm".format(pid)) or "?"
                result.append(SENTENCES[how].format(pid, command, name, mode))
        return result

    def uses(self, pid: str) -> List[Use]:
        """Return (open or mapped, device name, writing or reading) of a process."""
        folder = living_thread(pid)
        result: Dict[Tuple[str, str], bool] = {}
        for how, number, writes in self.opened(folder) + self.mapped(folder):
            if number in self.devices:
                key = how, self.devices[number]
                result[key] = result.get(key, False) or writes
        modes = {True: "writing", False: "reading"}
        return [(how, name, modes[writes]) for (how, name), writes in result.items()]

    def opened(self, folder: str) -> List[Tuple[str, int, bool]]:
        """Return the block devices that a process has open."""
        result = []
        for fd in list_folder(folder + "/fd"):
            number = block_device_at("{}/fd/{}".format(folder, fd))
            if number in self.devices:
                result.append(("open", number, is_writable(folder, fd)))
        return result

    def mapped(self, folder: str) -> List[Tuple[str, int, bool]]:
        """Return the block devices of a process's mappings (proc(5), /proc/pid/maps)."""
        result = []
        for line in (read_text(folder + "/maps") or "").splitlines():
            fields = line.split(None, 5)
            if len(fields) == 6 and fields[4] != "0":
                number = self.device_of(folder, fields)
                result.append(("mapped", number, "w" in fields[1] and "s" in fields[1]))
        return result

    def device_of(self, folder: str, fields: List[str]) -> int:
        """Return the device number of a mapped block device; 0 for any other file.

        Reads the kernel's map_files link, since the path may be gone or lead elsewhere.
        """
        key = fields[3], fields[4], fields[5]
        if key not in self.cache:
            number = block_device_at("{}/map_files/{}".format(folder, map_files_name(fields[0])))
            if number is None:
                # Kernels without that link, or an ended mapping: use the path.
                number = block_device_at(fields[5].replace(" (deleted)", ""))
            self.cache[key] = number or 0
        return self.cache[key]


def living_thread(pid: str) -> str:
    """Return the /proc folder of a living thread.

    A process whose first thread has ended shows nothing itself, while other threads continue.
    """
    folder = "/proc/" + pid
    if not is_zombie(folder):
        return folder
    threads = ["{}/task/{}".format(folder, thread) for thread in list_folder(folder + "/task")]
    return next((thread for thread in threads if not is_zombie(thread)), folder)


def is_zombie(folder: str) -> bool:
    """Return True if a thread has ended (proc(5), the letter after the name in stat)."""
    state = (read_text(folder + "/stat") or "").rpartition(")")[2].split()
    return bool(state) and state[0] in "ZX"


def map_files_name(text: str) -> str:
    """Return "00400000-0040b000" without leading zeros, as in map_files."""
    return "-".join("{:x}".format(int(end, 16)) for end in text.split("-"))


def block_device_at(path: str) -> Optional[int]:
    """Return the device number of a path; 0 for another file, None if it is absent."""
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return seen.st_rdev if stat.S_ISBLK(seen.st_mode) else 0
