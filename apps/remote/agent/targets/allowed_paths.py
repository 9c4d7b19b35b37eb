"""Check that a path may be a scratch directory: by name, by real location and by its owners."""

import os
import re
import stat
from typing import List, Optional

from ..disks.mounts import FileLocation, Mount, file_location, mounts

# The server also checks new directories by these lists.
FORBIDDEN = (
    "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr "
    "/var/cache /var/log /var/spool /var/lib/dpkg /var/lib/rpm /var/lib/systemd"
).split()
# Folders that may hold a directory for tests, but are none themselves.
PARENTS = ("/", "/var", "/var/lib")
FOLDER = "benchlab"
OWN_FILES = "Directory: {} holds benchlab's own files on this host ({}); choose another directory."
UNSAFE_OWNER = (
    "Directory: {} {}, who could lead the test's files elsewhere; "
    "choose one that only root or the test's own user can change, all the way up."
)
# fio splits a directory's name at ":" and puts environment and job words in for "$" (fio(1)); the
# rest would not survive a log or a table.
SPECIAL_CHARACTERS = re.compile("[:$`\\\\\x00-\x1f\x7f]")


def path_reasons(path: str, base: str) -> List[str]:
    """Return why a path may not be a scratch directory.

    It must be absolute and normalised, and neither of the system nor of the agent, under any name.
    """
    if not path.startswith("/") or "\0" in path or os.path.normpath(path) != path or path == "/":
        return ["Directory: {!r} is not an absolute path without detours.".format(path)]
    if SPECIAL_CHARACTERS.search(path):
        sentence = (
            "Directory: {!r} has a character that tools read as their own (: $ ` \\); rename."
        )
        return [sentence.format(path)]
    if path in PARENTS or any(is_below(path, top) for top in FORBIDDEN):
        return ["Directory: {} belongs to the system; choose another.".format(path)]
    if not os.path.isdir(path):
        return ["Directory: {} does not exist or is no directory; make it first.".format(path)]
    if os.path.realpath(path) != path:
        sentence = "Directory: {} leads through a symbolic link to {}; name that one."
        return [sentence.format(path, os.path.realpath(path))]
    return location_reasons(path, base) or owner_reasons(path)


def location_reasons(path: str, base: str) -> List[str]:
    """Check the real location: a bind mount may show a system folder under another name."""
    seen = mounts()
    spot, agent_location = file_location(path, seen), file_location(os.path.realpath(base), seen)
    if spot is None:
        return []  # another check refuses unmounted paths
    whole = next((top for top in FORBIDDEN if is_within(spot, system_location(top, seen))), None)
    whole = whole or next((top for top in PARENTS if spot == system_location(top, seen)), None)
    if whole:
        sentence = "Directory: {} is {} of the system under another name; choose another."
        return [sentence.format(path, whole)]
    target = FileLocation(spot.device, os.path.join(spot.path, FOLDER))
    if (
        is_within(spot, agent_location)
        or is_within(target, agent_location)
        or is_within(agent_location, target)
    ):
        return [OWN_FILES.format(path, base)]
    return []


def system_location(top: str, seen: List[Mount]) -> Optional[FileLocation]:
    """Return the location of a system folder; None if this host has none."""
    return file_location(os.path.realpath(top), seen) if os.path.isdir(top) else None


def is_within(spot: Optional[FileLocation], top: Optional[FileLocation]) -> bool:
    """Return True if a location is another or below it, on the same file system."""
    if spot is None or top is None or spot.device != top.device:
        return False
    return is_below(spot.path, top.path)


def is_below(path: str, top: str) -> bool:
    """Return True if a path is another or below it."""
    return path == top or path.startswith(top.rstrip("/") + "/")


def owner_reasons(path: str) -> List[str]:
    """Check that only trusted users can replace the directory or a parent by a link.

    Otherwise the test would write elsewhere with root's rights (as sshd's StrictModes; for the
    sticky bit see rename(2)).
    """
    if os.geteuid() != 0:
        return []  # without root there are no rights to abuse
    trusted = {0, int(os.environ.get("SUDO_UID") or 0)}
    folder = path
    while True:
        state = os.stat(folder)
        if state.st_uid not in trusted:
            return [UNSAFE_OWNER.format(folder, "belongs to user {}".format(state.st_uid))]
        if state.st_mode & 0o022 and not state.st_mode & stat.S_ISVTX:
            return [UNSAFE_OWNER.format(folder, "may be written by others")]
        if folder == "/":
            return []
        folder = os.path.dirname(folder)
