"""Directories that may be given to a test at all, by their names, by where they really lie and by
who rules over them.
"""

import os
import re
import stat
from typing import List, Optional

from ..disks.mounts import Mount, Spot, mounts, spot_of

# benchlab asks by these lists as well when a directory is entered.
FORBIDDEN = (
    "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr "
    "/var/cache /var/log /var/spool /var/lib/dpkg /var/lib/rpm /var/lib/systemd"
).split()
# Folders that may hold a directory for tests, but are none themselves.
PARENTS = ("/", "/var", "/var/lib")
FOLDER = "benchlab"
OWN = "Directory: {} holds benchlab's own files on this host ({}); choose another place."
MOVABLE = (
    "Directory: {} {}, who could lead the test's files elsewhere; "
    "choose one that only root or the test's own user can change, all the way up."
)
# fio splits a directory's name at ":" and puts environment and job words in for "$" (fio(1)); the
# rest would not survive a log or a table.
UNFIT = re.compile("[:$`\\\\\x00-\x1f\x7f]")


def path_reasons(path: str, base: str) -> List[str]:
    """Why a path cannot be a scratch directory, if so: absolute, without detours, no place of the
    system's or of the agent's own, by whatever path it is seen.
    """
    if not path.startswith("/") or "\0" in path or os.path.normpath(path) != path or path == "/":
        return ["Directory: {!r} is not an absolute path without detours.".format(path)]
    if UNFIT.search(path):
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
    return territory(path, base) or movers(path)


def territory(path: str, base: str) -> List[str]:
    """Owner of the place that a path leads to: a bind mount shows a folder of the system, or the
    agent's own, under another name.
    """
    seen = mounts()
    spot, own = spot_of(path, seen), spot_of(os.path.realpath(base), seen)
    if spot is None:
        return []  # what is mounted nowhere is refused as such
    whole = next((top for top in FORBIDDEN if is_within(spot, system_spot(top, seen))), None)
    whole = whole or next((top for top in PARENTS if spot == system_spot(top, seen)), None)
    if whole:
        sentence = "Directory: {} is {} of the system under another name; choose another."
        return [sentence.format(path, whole)]
    target = Spot(spot.device, os.path.join(spot.path, FOLDER))
    if is_within(spot, own) or is_within(target, own) or is_within(own, target):
        return [OWN.format(path, base)]
    return []


def system_spot(top: str, seen: List[Mount]) -> Optional[Spot]:
    """The place of a folder of the system; None where this host has none."""
    return spot_of(os.path.realpath(top), seen) if os.path.isdir(top) else None


def is_within(spot: Optional[Spot], top: Optional[Spot]) -> bool:
    """Whether a place is another or lies below it, on the same file system."""
    if spot is None or top is None or spot.device != top.device:
        return False
    return is_below(spot.path, top.path)


def is_below(path: str, top: str) -> bool:
    """Whether a path is another or leads below it."""
    return path == top or path.startswith(top.rstrip("/") + "/")


def movers(path: str) -> List[str]:
    """People who could put a link where our subfolder is, and so have the test write elsewhere with
    our rights: whoever owns, or may write to, the directory or one above it (as sshd's StrictModes;
    the sticky bit helps, see rename(2)).
    """
    if os.geteuid() != 0:
        return []  # there are no rights to borrow
    trusted = {0, int(os.environ.get("SUDO_UID") or 0)}
    place = path
    while True:
        found = os.stat(place)
        if found.st_uid not in trusted:
            return [MOVABLE.format(place, "belongs to user {}".format(found.st_uid))]
        if found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX:
            return [MOVABLE.format(place, "may be written by others")]
        if place == "/":
            return []
        place = os.path.dirname(place)
