"""Lines of benchlab at the end of a ceph.conf: one section for each OSD with applied options.

The rest of the file stays unchanged to the byte.
"""

import errno
import os
import stat
from typing import Dict, Tuple

from ..files import sync_folder, write_all

BEGIN = "# benchlab: options applied for a test, removed after it; do not edit these lines"
BEGIN_WITHOUT_NEWLINE = BEGIN + " (no end of line before)"
END = "# benchlab: end"
MAX_FILE_BYTES = 1 << 20
# Users whose files these may be: root, and ceph by the number of Red Hat and cephadm, and Debian's.
SYSTEM_USERS = {0, 167, 64045}
# Options by section: {"osd.3": {"osd_op_num_shards": "4"}}.
Sections = Dict[str, Dict[str, str]]

LINK = (
    "{} is a link to {} (Proxmox VE keeps one for its whole cluster), which benchlab leaves alone"
)
UNSAFE_FILE = "{} is no file of root's or ceph's that only they can write"
BROKEN = "{}: the end of benchlab's lines is missing, so they were edited; remove them"


def read_sections(path: str) -> Sections:
    """Return the options in benchlab's lines. Raises: OSError."""
    return split_file(path)[1]


def write_sections(path: str, sections: Sections) -> None:
    """Replace benchlab's lines by these sections; without sections, remove the lines.

    The file is replaced atomically and synced before this returns. Raises: OSError.
    """
    rest, existing = split_file(path)
    if existing == sections:
        return
    state = check_file(path)
    beside = "{}.benchlab".format(path)
    with_ours = (rest + format_lines(rest, sections)).encode("utf-8", "surrogateescape")
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


def check_file(path: str) -> os.stat_result:
    """Return the file's status. Raises: OSError if benchlab may not write the file."""
    state = os.lstat(path)
    if stat.S_ISLNK(state.st_mode):
        raise OSError(errno.ELOOP, LINK.format(path, os.readlink(path)))
    folder = os.stat(os.path.dirname(path) or "/")
    own_lines = {state.st_uid, folder.st_uid} <= SYSTEM_USERS
    open_to_all = (state.st_mode | folder.st_mode) & stat.S_IWOTH
    if not stat.S_ISREG(state.st_mode) or open_to_all or not own_lines:
        raise OSError(errno.EPERM, UNSAFE_FILE.format(path))
    if state.st_size > MAX_FILE_BYTES:
        raise OSError(errno.EFBIG, "{} is too large for a ceph.conf".format(path))
    return state


def split_file(path: str) -> Tuple[str, Sections]:
    """Return the file without benchlab's lines, and the sections in them."""
    check_file(path)
    with open(path, "rb") as file:
        text = file.read(MAX_FILE_BYTES).decode("utf-8", "surrogateescape")
    prefix, begin, rest_of_file = text.partition(BEGIN)
    if not begin:
        return text, {}
    own_lines, end, after = rest_of_file.partition(END + "\n")
    if not end:
        raise OSError(errno.EINVAL, BROKEN.format(path))
    if own_lines.startswith(BEGIN_WITHOUT_NEWLINE[len(BEGIN) :]):
        prefix = prefix[:-1]
    return prefix + after, parse_sections(own_lines)


def parse_sections(text: str) -> Sections:
    """Parse benchlab's lines."""
    sections: Sections = {}
    section: Dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = line.strip().partition(" = ")
        if name.startswith("[") and name.endswith("]"):
            section = sections.setdefault(name[1:-1], {})
        elif equals:
            section[name] = value
    return sections


def format_lines(rest: str, sections: Sections) -> str:
    """Return the lines to append to the rest of the file."""
    if not sections:
        return ""
    cut = bool(rest) and not rest.endswith("\n")
    lines = ["\n" + BEGIN_WITHOUT_NEWLINE if cut else BEGIN]
    for name in sorted(sections):
        lines.append("[{}]".format(name))
        lines += ["{} = {}".format(*item) for item in sorted(sections[name].items())]
    return "\n".join(lines + [END]) + "\n"
