"""OSD processes of this host: admin socket, ceph.conf and systemd unit.

Source: https://docs.ceph.com/en/latest/rados/operations/monitoring/
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
from .conf_file import SYSTEM_USERS
from .osds import running_osds

TIMEOUT_SECONDS = 20.0  # seconds
LISTENS = "00010000"  # /proc/net/unix, flags: SO_ACCEPTCON
DEFAULT = "/etc/ceph/{}.conf"
CEPHADM = "/var/lib/ceph/*/osd.{}/config"  # of an OSD that cephadm runs in a container
UNIT = r"/(ceph(?:-[0-9a-f-]{{36}})?(?:-osd)?@(?:osd\.)?{}\.service)"
CONTAINER = "osd.{} runs in a container, and its ceph.conf was not found"
FOREIGN_USER = "osd.{} runs as the user {}: benchlab restarts only those of root and ceph"

# An OSD that runs here: its process, its ceph.conf, and its systemd unit ("" where it has none).
Daemon = NamedTuple("Daemon", [("number", int), ("pid", int), ("file", str), ("unit", str)])


def daemon(number: int, fsid: str) -> Optional[Daemon]:
    """Return the OSD of this cluster; None if it does not run.

    Raises: OSError if benchlab may not restart it.
    """
    pid = process_of(number, fsid)
    if pid is None:
        return None
    refuse_foreign_user(number, pid)
    return Daemon(number, pid, conf_path(number, pid), unit_of(number, pid))


def process_of(number: int, fsid: str) -> Optional[int]:
    """Return the process of this OSD. Checks the fsid: another cluster may use the same number."""
    for pid in running_osds().get(number, []):
        with suppress(OSError):
            if socket_command(pid, {"prefix": "status"}).get("cluster_fsid") == fsid:
                return pid
    return None


def refuse_foreign_user(number: int, pid: int) -> None:
    """Raise OSError unless root or ceph runs the process."""
    owner = os.stat("/proc/{}".format(pid)).st_uid
    if owner not in SYSTEM_USERS:
        raise OSError(errno.EPERM, FOREIGN_USER.format(number, owner))


def socket_command(pid: int, command: Dict[str, str]) -> Dict[str, Any]:
    """Return the response of a daemon's admin socket. Raises: OSError.

    Protocol (src/common/admin_socket.cc): a JSON object that ends with a zero byte; the response
    begins with its length, big-endian.
    """
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(TIMEOUT_SECONDS)
        link.connect("/proc/{}/root{}".format(pid, admin_socket(pid)))
        link.sendall(json.dumps(command).encode() + b"\0")
        (size,) = struct.unpack(">I", receive(link, 4))
        text = receive(link, size).decode("utf-8", "replace")
    try:
        response = json.loads(text)
    except ValueError:
        raise OSError(errno.EIO, text.strip()[:200] or "an empty answer") from None
    return response if isinstance(response, dict) else {}


def receive(link: socket.socket, size: int) -> bytes:
    """Receive `size` bytes. Raises: OSError if the peer closes before."""
    data = b""
    while len(data) < size:
        piece = link.recv(size - len(data))
        if not piece:
            raise OSError(errno.EPIPE, "it broke off")
        data += piece
    return data


def admin_socket(pid: int) -> str:
    """Return the path of the admin socket of a process. Raises: OSError if it has none."""
    sockets = set()
    for name in list_folder("/proc/{}/fd".format(pid)):
        with suppress(OSError):
            sockets.add(os.readlink("/proc/{}/fd/{}".format(pid, name)))
    for row in (read_text("/proc/{}/net/unix".format(pid)) or "").splitlines():
        arguments = row.split()
        if (
            len(arguments) == 8
            and arguments[3] == LISTENS
            and "socket:[{}]".format(arguments[6]) in sockets
        ):
            if arguments[7].endswith(".asok"):
                return arguments[7]
    raise OSError(errno.ENOENT, "it has no admin socket")


def conf_path(number: int, pid: int) -> str:
    """Return the ceph.conf a daemon reads when it starts (ceph(8): -c, CEPH_CONF, --cluster)."""
    if is_contained(pid):
        paths = [path for path in glob.glob(CEPHADM.format(number)) if is_unit_folder(path, pid)]
        if len(paths) != 1:
            raise OSError(errno.ENOENT, CONTAINER.format(number))
        return paths[0]
    arguments = read_nul_separated("/proc/{}/cmdline".format(pid))
    environment = dict(word.partition("=")[::2] for word in process_environment(pid))
    path = (
        option_value(arguments, ("-c", "--conf")) or environment.get("CEPH_CONF", "").split(",")[0]
    )
    return path or DEFAULT.format(option_value(arguments, ("--cluster",)) or "ceph")


def is_contained(pid: int) -> bool:
    """Return True if a process has another root directory; private mounts do not count."""
    process_root, agent_root = os.stat("/proc/{}/root/".format(pid)), os.stat("/")
    return (process_root.st_dev, process_root.st_ino) != (agent_root.st_dev, agent_root.st_ino)


def is_unit_folder(path: str, pid: int) -> bool:
    """Return True if a folder of cephadm belongs to the daemon, as far as its unit is known."""
    fsid, unit = path.split("/")[4], read_text("/proc/{}/cgroup".format(pid)) or ""
    match = re.search(r"ceph-([0-9a-f-]{36})@", unit)
    return not match or match.group(1) == fsid


def unit_of(number: int, pid: int) -> str:
    """Return the systemd unit of a daemon (package or cephadm); "" if it has none."""
    match = re.search(UNIT.format(number), read_text("/proc/{}/cgroup".format(pid)) or "")
    if match:
        return match.group(1)
    if is_contained(pid):  # Docker puts the container outside of the unit
        return "ceph-{}@osd.{}.service".format(conf_path(number, pid).split("/")[4], number)
    return ""


def option_value(arguments: List[str], names: Any) -> str:
    """Return the value of an option among a program's arguments; "" if absent."""
    for index, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name in names and (equals or index + 1 < len(arguments)):
            return value if equals else arguments[index + 1]
    return ""


def read_nul_separated(path: str) -> List[str]:
    """Return the NUL-separated words of a file in /proc."""
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace").split("\0")


def process_environment(pid: int) -> List[str]:
    """Return the environment a process was started with."""
    return [word for word in read_nul_separated("/proc/{}/environ".format(pid)) if "=" in word]
