"""Directories as targets: benchlab's files are in a subfolder, and only that is ever removed."""

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
from ..processes.job_folder import all_jobs
from ..schema import DirectoryTarget, Request, Response
from .allowed_paths import FOLDER, path_reasons
from .free_space import shortage

MARKER = ".made-by-benchlab"
PSEUDO = frozenset(
    "proc sysfs devtmpfs devpts cgroup cgroup2 debugfs tracefs securityfs pstore bpf mqueue".split()
    + "configfs fusectl binfmt_misc efivarfs hugetlbfs selinuxfs rpc_pipefs nsfs autofs".split()
    + "squashfs iso9660".split()
)


def directory_reasons(target: DirectoryTarget, base: str) -> List[str]:
    """Return every reason against using this directory; creates nothing."""
    return path_reasons(target["path"], base) or file_system_reasons(target["path"], target)


def file_system_reasons(path: str, target: DirectoryTarget) -> List[str]:
    """Check the file system: a real one that is writable, with enough space."""
    mount = mount_of(path)
    if mount is None or mount.kind in PSEUDO:
        kind = mount.kind if mount else "unknown"
        return ["File system: {} is on {}, which stores no files.".format(path, kind)]
    status = os.statvfs(path)
    if target["write"] and status.f_flag & os.ST_RDONLY:
        return ["Read-only: the file system of {} takes no writes.".format(path)]
    short = shortage(path, target["needs"])
    sentence = "Space: {} has {}; free some or request less."
    return [sentence.format(path, short)] if short else []


def open_or_make_folder(path: str) -> int:
    """Open the subfolder without following links; create it or verify the marker.

    Raises: RefusalError.
    """
    folder = os.path.join(path, FOLDER)
    if not os.path.lexists(folder):
        make_folder(path, folder)
    fd = open_own_folder(folder)
    if fd is None:
        sentence = (
            "Directory: {} exists but is not benchlab's; rename it or choose another directory."
        )
        raise RefusalError([sentence.format(folder)])
    return fd


def make_folder(path: str, folder: str) -> None:
    """Create a marked temporary folder and rename it, so that concurrent jobs find it complete."""
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
        shutil.rmtree(beside)  # another job was first; its marker is verified


def open_own_folder(folder: str) -> Optional[int]:
    """Return a descriptor of a folder that benchlab created, else None."""
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


def directory_disk(path: str) -> Optional[Block]:
    """Return the disk below a directory; None for a network or memory file system."""
    mount = mount_of(path)
    return whole_disk(mount.device) if mount else None


def cleanup_directories(base: str, request: Request) -> Response:
    """Run the verb: remove benchlab's subfolder; `removed` counts its entries.

    Raises: RefusalError, BusyError.
    """
    path = str(request["directory"])
    reasons = path_reasons(path, base)
    if reasons:
        raise RefusalError(reasons)
    user = running_attempt(base, path)
    if user:
        raise BusyError("Attempt {} is running in {}.".format(user, path))
    folder = os.path.join(path, FOLDER)
    fd = open_own_folder(folder)
    if fd is None:
        return {"removed": 0}
    try:
        return {"removed": empty_folder(fd)}
    finally:
        os.close(fd)
        with contextlib.suppress(OSError):  # another folder may have replaced it
            os.rmdir(folder)


def empty_folder(fd: int) -> int:
    """Remove everything in benchlab's folder, the marker last; return the number of entries.

    Works on the descriptor, so only this folder is emptied even if its name changes.
    """
    folder = "/proc/self/fd/{}".format(fd)
    entries = [name for name in list_folder(folder) if name != MARKER]
    for name in entries:
        path = os.path.join(folder, name)
        if stat.S_ISDIR(os.lstat(path).st_mode):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    os.unlink(os.path.join(folder, MARKER))
    return len(entries)


def running_attempt(base: str, path: str) -> Optional[str]:
    """Return an attempt that runs in this directory."""
    for job in all_jobs(base):
        spec = job.json("spec.json") or {}
        targets = spec.get("targets") or [spec.get("target") or {}]
        if any(target.get("path") == path for target in targets) and not job.is_free():
            return job.attempt
    return None
