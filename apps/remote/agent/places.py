"""Which directories may be given to a test at all, by their names and by who rules over them."""

import os
import re
import stat
from typing import List

FORBIDDEN = "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr".split()
MOVABLE = (
    "Directory: {} {}, who could lead the test's files elsewhere; "
    "choose one that only root or the test's own user can change, all the way up."
)
# fio splits a directory's name at ":" and puts environment and job words in for "$" (fio(1)); the
# rest would not survive a log or a table.
UNFIT = re.compile("[:$`\\\\\x00-\x1f\x7f]")


def path_reasons(path: str) -> List[str]:
    """The name itself: absolute, without detours, no place of the system's."""
    if not path.startswith("/") or "\0" in path or os.path.normpath(path) != path or path == "/":
        return ["Directory: {!r} is not an absolute path without detours.".format(path)]
    if UNFIT.search(path):
        sentence = (
            "Directory: {!r} has a character that tools read as their own (: $ ` \\); rename."
        )
        return [sentence.format(path)]
    if any(path == top or path.startswith(top + "/") for top in FORBIDDEN):
        return ["Directory: {} belongs to the system; choose another.".format(path)]
    if not os.path.isdir(path):
        return ["Directory: {} does not exist or is no directory; make it first.".format(path)]
    if os.path.realpath(path) != path:
        sentence = "Directory: {} leads through a symbolic link to {}; name that one."
        return [sentence.format(path, os.path.realpath(path))]
    return movers(path)


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
