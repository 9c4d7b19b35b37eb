"""OSDs of this host as processes: what each says over its admin socket, where it finds its options,
and what restarts it (https://docs.ceph.com/en/latest/rados/operations/monitoring/).
"""

import errno
import glob
import json
import os
import re
import socket
import struct
from contextlib import suppress
from typing import Any, Dict, List, NamedTuple, Optional

from ..files import list_folder, read_text
from .conf_file import SYSTEM
from .osds import running_osds

ANSWER = 20.0  # seconds
LISTENS = "00010000"  # /proc/net/unix, flags: SO_ACCEPTCON
DEFAULT = "/etc/ceph/{}.conf"
CEPHADM = "/var/lib/ceph/*/osd.{}/config"  # of an OSD that cephadm runs in a container
UNIT = r"/(ceph(?:-[0-9a-f-]{{36}})?(?:-osd)?@(?:osd\.)?{}\.service)"
CONTAINER = "osd.{} runs in a container, and benchlab does not know where its ceph.conf is"
STRANGER = "osd.{} runs as the user {}: benchlab restarts only those of root and ceph"

# An OSD that runs here: its process, its ceph.conf, and its systemd unit ("" where it has none).
Daemon = NamedTuple("Daemon", [("number", int), ("pid", int), ("file", str), ("unit", str)])


def daemon(number: int, fsid: str) -> Optional[Daemon]:
    """The OSD of this cluster, None where it does not run. Raises OSError for one that cannot be
    looked after.
    """
    pid = process_of(number, fsid)
    if pid is None:
        return None
    refuse_stranger(number, pid)
    return Daemon(number, pid, file_of(number, pid), unit_of(number, pid))


def process_of(number: int, fsid: str) -> Optional[int]:
    """The process of this OSD of this cluster; another cluster may have an OSD of that number."""
    for pid in running_osds().get(number, []):
        with suppress(OSError):
            if ask(pid, {"prefix": "status"}).get("cluster_fsid") == fsid:
                return pid
    return None


def refuse_stranger(number: int, pid: int) -> None:
    """Raises OSError for a process that anybody may have started under this name."""
    owner = os.stat("/proc/{}".format(pid)).st_uid
    if owner not in SYSTEM:
        raise OSError(errno.EPERM, STRANGER.format(number, owner))


def ask(pid: int, command: Dict[str, str]) -> Dict[str, Any]:
    """The answer of a daemon's admin socket (src/common/admin_socket.cc: a JSON object that ends
    with a zero; a length, big-endian, before the answer). Raises OSError.
    """
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(ANSWER)
        link.connect("/proc/{}/root{}".format(pid, socket_of(pid)))
        link.sendall(json.dumps(command).encode() + b"\0")
        (size,) = struct.unpack(">I", received(link, 4))
        text = received(link, size).decode("utf-8", "replace")
    try:
        said = json.loads(text)
    except ValueError:
        raise OSError(errno.EIO, text.strip()[:200] or "an empty answer") from None
    return said if isinstance(said, dict) else {}


def received(link: socket.socket, size: int) -> bytes:
    """So many bytes. Raises OSError where the other side ends before."""
    data = b""
    while len(data) < size:
        piece = link.recv(size - len(data))
        if not piece:
            raise OSError(errno.EPIPE, "it broke off")
        data += piece
    return data


def socket_of(pid: int) -> str:
    """The admin socket a process listens on. Raises OSError where it has none."""
    own = set()
    for name in list_folder("/proc/{}/fd".format(pid)):
        with suppress(OSError):
            own.add(os.readlink("/proc/{}/fd/{}".format(pid, name)))
    for row in (read_text("/proc/{}/net/unix".format(pid)) or "").splitlines():
        words = row.split()
        if len(words) == 8 and words[3] == LISTENS and "socket:[{}]".format(words[6]) in own:
            if words[7].endswith(".asok"):
                return words[7]
    raise OSError(errno.ENOENT, "it has no admin socket")


def file_of(number: int, pid: int) -> str:
    """The ceph.conf that a daemon reads when it starts (ceph(8), -c, CEPH_CONF, --cluster)."""
    if is_contained(pid):
        found = [path for path in glob.glob(CEPHADM.format(number)) if fits(path, pid)]
        if len(found) != 1:
            raise OSError(errno.ENOENT, CONTAINER.format(number))
        return found[0]
    words = zero_separated("/proc/{}/cmdline".format(pid))
    around = dict(word.partition("=")[::2] for word in zero_separated_environment(pid))
    named = after(words, ("-c", "--conf")) or around.get("CEPH_CONF", "").split(",")[0]
    return named or DEFAULT.format(after(words, ("--cluster",)) or "ceph")


def is_contained(pid: int) -> bool:
    """Whether a process has another root than this one; a unit's private mounts do not count."""
    theirs, ours = os.stat("/proc/{}/root/".format(pid)), os.stat("/")
    return (theirs.st_dev, theirs.st_ino) != (ours.st_dev, ours.st_ino)


def fits(path: str, pid: int) -> bool:
    """Whether a folder of cephadm's is that of the daemon: by its unit, where that is told."""
    fsid, unit = path.split("/")[4], read_text("/proc/{}/cgroup".format(pid)) or ""
    told = re.search(r"ceph-([0-9a-f-]{36})@", unit)
    return not told or told.group(1) == fsid


def unit_of(number: int, pid: int) -> str:
    """The systemd unit of a daemon, of a package's or of cephadm's; "" where it has none."""
    told = re.search(UNIT.format(number), read_text("/proc/{}/cgroup".format(pid)) or "")
    if told:
        return told.group(1)
    if is_contained(pid):  # Docker puts the container outside of the unit
        return "ceph-{}@osd.{}.service".format(file_of(number, pid).split("/")[4], number)
    return ""


def after(words: List[str], names: Any) -> str:
    """The value of an option among a program's words; "" without."""
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names and (equals or place + 1 < len(words)):
            return value if equals else words[place + 1]
    return ""


def zero_separated(path: str) -> List[str]:
    """The words of a file of /proc."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace").split("\0")


def zero_separated_environment(pid: int) -> List[str]:
    """The environment a process was started with."""
    return [word for word in zero_separated("/proc/{}/environ".format(pid)) if "=" in word]
