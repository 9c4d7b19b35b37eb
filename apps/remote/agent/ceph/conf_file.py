"""Lines of our own at the end of a ceph.conf: a section for each OSD that is lent options. Whatever
else stands in the file stays as it is, to the byte.
"""

import errno
import os
import stat
from typing import Dict, Tuple

from ..files import sync_folder, write_all

BEGIN = "# benchlab: options lent to a test, taken away after it; leave these lines to benchlab"
CUT = BEGIN + " (no end of line before)"
END = "# benchlab: end"
LARGEST = 1 << 20
# Users whose files these may be: root, and ceph by the number of Red Hat and cephadm, and Debian's.
SYSTEM = {0, 167, 64045}
# Options by section: {"osd.3": {"osd_op_num_shards": "4"}}.
Sections = Dict[str, Dict[str, str]]

LINK = (
    "{} is a link to {} (Proxmox VE keeps one for its whole cluster), which benchlab leaves alone"
)
STRANGE = "{} is no file of root's or ceph's that only they can write"
BROKEN = "{}: the end of benchlab's own lines is missing, so somebody changed them; remove them"


def own_sections(path: str) -> Sections:
    """The options in our lines. Raises OSError."""
    return split(path)[1]


def write_sections(path: str, sections: Sections) -> None:
    """Put these sections, and no others, into our lines; without any the lines are gone. The file
    is whole at every moment, and on the disk before this returns. Raises OSError.
    """
    rest, before = split(path)
    if before == sections:
        return
    state = checked(path)
    beside = "{}.benchlab".format(path)
    with_ours = (rest + lines_of(rest, sections)).encode("utf-8", "surrogateescape")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    fd = os.open(beside, flags, 0o600)
    try:
        os.fchown(fd, state.st_uid, state.st_gid)
        os.fchmod(fd, stat.S_IMODE(state.st_mode))
        write_all(fd, with_ours)
        os.fsync(fd)
    finally:
        os.close(fd)
    os.rename(beside, path)
    sync_folder(os.path.dirname(path))


def checked(path: str) -> os.stat_result:
    """The file's state. Raises OSError for what is no ceph.conf that benchlab may write."""
    state = os.lstat(path)
    if stat.S_ISLNK(state.st_mode):
        raise OSError(errno.ELOOP, LINK.format(path, os.readlink(path)))
    folder = os.stat(os.path.dirname(path) or "/")
    ours = {state.st_uid, folder.st_uid} <= SYSTEM
    open_to_all = (state.st_mode | folder.st_mode) & stat.S_IWOTH
    if not stat.S_ISREG(state.st_mode) or open_to_all or not ours:
        raise OSError(errno.EPERM, STRANGE.format(path))
    if state.st_size > LARGEST:
        raise OSError(errno.EFBIG, "{} is too large for a ceph.conf".format(path))
    return state


def split(path: str) -> Tuple[str, Sections]:
    """The file without our lines, and what is in those."""
    checked(path)
    with open(path, "rb") as file:
        text = file.read(LARGEST).decode("utf-8", "surrogateescape")
    head, begin, tail = text.partition(BEGIN)
    if not begin:
        return text, {}
    ours, end, after = tail.partition(END + "\n")
    if not end:
        raise OSError(errno.EINVAL, BROKEN.format(path))
    if ours.startswith(CUT[len(BEGIN) :]):
        head = head[:-1]
    return head + after, parsed(ours)


def parsed(text: str) -> Sections:
    """Our own lines, read."""
    found: Sections = {}
    section: Dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = line.strip().partition(" = ")
        if name.startswith("[") and name.endswith("]"):
            section = found.setdefault(name[1:-1], {})
        elif equals:
            section[name] = value
    return found


def lines_of(rest: str, sections: Sections) -> str:
    """The lines to put after the rest of the file."""
    if not sections:
        return ""
    cut = bool(rest) and not rest.endswith("\n")
    lines = ["\n" + CUT if cut else BEGIN]
    for name in sorted(sections):
        lines.append("[{}]".format(name))
        lines += ["{} = {}".format(*item) for item in sorted(sections[name].items())]
    return "\n".join(lines + [END]) + "\n"
