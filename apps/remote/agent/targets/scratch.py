"""Directories as targets: benchlab's files live in a subfolder of its own, and only that is ever
removed.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from typing import List, Optional

from ..disks.blocks import Block, whole_disk
from ..disks.mounts import mount_of
from ..errors import BusyError, RefusalError
from ..files import list_folder
from ..jobs.job import all_jobs
from ..shapes import DirectoryTarget, Reply, Request
from .places import FOLDER, path_reasons
from .room import lacking

MARKER = ".made-by-benchlab"
PSEUDO = frozenset(
    "proc sysfs devtmpfs devpts cgroup cgroup2 debugfs tracefs securityfs pstore bpf mqueue".split()
    + "configfs fusectl binfmt_misc efivarfs hugetlbfs selinuxfs rpc_pipefs nsfs autofs".split()
    + "squashfs iso9660".split()
)


def directory_reasons(target: DirectoryTarget, base: str) -> List[str]:
    """Every reason why this directory cannot be used; nothing is made."""
    return path_reasons(target["path"], base) or content_reasons(target["path"], target)


def content_reasons(path: str, target: DirectoryTarget) -> List[str]:
    """Reasons against what it lies on: it must be a real file system with room enough that takes
    writes.
    """
    mount = mount_of(path)
    if mount is None or mount.kind in PSEUDO:
        kind = mount.kind if mount else "unknown"
        return ["File system: {} is on {}, which stores no files.".format(path, kind)]
    room = os.statvfs(path)
    if target["write"] and room.f_flag & os.ST_RDONLY:
        return ["Read-only: the file system of {} takes no writes.".format(path)]
    short = lacking(path, target["needs"])
    sentence = "Space: {} has {}; free some or ask for less."
    return [sentence.format(path, short)] if short else []


def own_folder(path: str) -> int:
    """The subfolder, made or proven to be ours; opened without following links. Raises
    RefusalError.
    """
    folder = os.path.join(path, FOLDER)
    if not os.path.lexists(folder):
        make_folder(path, folder)
    fd = open_own(folder)
    if fd is None:
        sentence = "Directory: {} exists but is not benchlab's; rename it or choose another place."
        raise RefusalError([sentence.format(folder)])
    return fd


def make_folder(path: str, folder: str) -> None:
    """Made beside with its marker and renamed, so that two jobs at once both find it whole."""
    try:
        beside = tempfile.mkdtemp(prefix=".benchlab-", dir=path)
        with open(os.path.join(beside, MARKER), "w"):
            pass
    except OSError as error:
        sentence = "Directory: {} cannot be made ({}); check its permissions."
        raise RefusalError([sentence.format(folder, error.strerror)]) from None
    try:
        os.rename(beside, folder)
    except OSError:
        shutil.rmtree(beside)  # another job was first; whose it is will be looked at


def open_own(folder: str) -> Optional[int]:
    """A descriptor of a folder that benchlab made, else None."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        marker = os.stat(MARKER, dir_fd=fd, follow_symlinks=False)
        if stat.S_ISREG(marker.st_mode) and marker.st_uid == os.geteuid() == os.fstat(fd).st_uid:
            return fd
    except OSError:
        pass
    os.close(fd)
    return None


def disk_below(path: str) -> Optional[Block]:
    """The disk that carries a directory; None for a network or memory file system."""
    mount = mount_of(path)
    return whole_disk(mount.device) if mount else None


def tidy(base: str, request: Request) -> Reply:
    """The verb: remove benchlab's subfolder; `removed` counts its entries. Raises RefusalError or
    BusyError.
    """
    path = str(request["directory"])
    reasons = path_reasons(path, base)
    if reasons:
        raise RefusalError(reasons)
    user = running_user(base, path)
    if user:
        raise BusyError("Attempt {} is running in {}.".format(user, path))
    folder = os.path.join(path, FOLDER)
    fd = open_own(folder)
    if fd is None:
        return {"removed": 0}
    try:
        return {"removed": empty(fd)}
    finally:
        os.close(fd)
        with contextlib.suppress(OSError):  # somebody put another in its place meanwhile
            os.rmdir(folder)


def empty(fd: int) -> int:
    """Remove everything in our own folder, the marker last; how many entries there were. By
    descriptor: whatever its name leads to meanwhile, only this folder is emptied.
    """
    here = "/proc/self/fd/{}".format(fd)
    entries = [name for name in list_folder(here) if name != MARKER]
    for name in entries:
        path = os.path.join(here, name)
        if stat.S_ISDIR(os.lstat(path).st_mode):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    os.unlink(os.path.join(here, MARKER))
    return len(entries)


def running_user(base: str, path: str) -> Optional[str]:
    """An attempt that runs in this directory."""
    for job in all_jobs(base):
        spec = job.json("spec.json") or {}
        targets = spec.get("targets") or [spec.get("target") or {}]
        if any(target.get("path") == path for target in targets) and not job.is_free():
            return job.attempt
    return None
