"""Daemons of Ceph on this host: process, admin socket, ceph.conf and systemd unit.

Source: https://docs.ceph.com/en/latest/rados/operations/monitoring/
"""

import errno
import glob
import json
import os
import re
import socket
import struct
import time
from contextlib import suppress
from typing import Any, Dict, List, NamedTuple, Optional

from ..files import list_folder, read_text
from .conf_file import SYSTEM_USERS
from .daemon_names import split_name
from .processes import running_daemons

TIMEOUT_SECONDS = 20.0  # seconds
QUORUM_SECONDS = 60.0  # longer than an election
POLL_SECONDS = 0.5
LISTENS = "00010000"  # /proc/net/unix, flags: SO_ACCEPTCON
DEFAULT = "/etc/ceph/{}.conf"
CEPHADM = "/var/lib/ceph/*/{}/config"  # of a daemon that cephadm runs in a container
# Of the packages, ceph-osd@3.service; of cephadm, ceph-<fsid>@osd.3.service.
UNIT = r"/(ceph-{kind}@{id}\.service|ceph-[0-9a-f-]{{36}}@{kind}\.{id}\.service)"
CONTAINER = "{} runs in a container, and its ceph.conf is missing"
FOREIGN_USER = "{} runs as the user {}: benchlab restarts only those of root and ceph"
# States of a daemon that does its part. Sources: OSD::get_state_name, Monitor::get_state_name,
# CEPH_MDS_STATE; a standby MDS waits for a rank.
READY = {
    "osd": ("active",),
    "mon": ("leader", "peon"),
    "mds": ("up:active", "up:standby", "up:standby-replay"),
}

# A daemon that runs here, such as osd.3: its process, its ceph.conf, and its systemd unit ("" where
# it has none).
Daemon = NamedTuple("Daemon", [("name", str), ("pid", int), ("file", str), ("unit", str)])


def daemon(name: str, fsid: str) -> Optional[Daemon]:
    """Return the daemon of this cluster; None if it does not run.

    Raises: OSError if benchlab may not restart it.
    """
    pid = process_of(name, fsid)
    if pid is None:
        return None
    refuse_foreign_user(name, pid)
    return Daemon(name, pid, conf_path(name, pid), unit_of(name, pid))


def process_of(name: str, fsid: str) -> Optional[int]:
    """Return the process of this daemon. Checks the fsid: another cluster may use the same name."""
    kind, daemon_id = split_name(name)
    for pid in running_daemons(kind).get(daemon_id, []):
        with suppress(OSError):
            if reported_fsid(kind, pid) == fsid:
                return pid
    return None


def reported_fsid(kind: str, pid: int) -> str:
    """Return the fsid of the cluster that a daemon belongs to. Raises: OSError."""
    status = daemon_status(kind, pid)
    monmap = status.get("monmap")
    if kind == "mon":
        return str(monmap.get("fsid")) if isinstance(monmap, dict) else ""
    return str(status.get("cluster_fsid"))


def daemon_status(kind: str, pid: int) -> Dict[str, Any]:
    """Return a daemon's own status. Raises: OSError."""
    return socket_command(pid, {"prefix": "mon_status" if kind == "mon" else "status"})


def daemon_state(kind: str, pid: int) -> str:
    """Return the state a daemon reports, such as "booting" or "active", or why it reports none."""
    try:
        return str(daemon_status(kind, pid).get("state"))
    except OSError as error:
        return str(error.strerror)


def is_ready(kind: str, pid: Optional[int]) -> bool:
    """Return True if a daemon runs and does its part in the cluster."""
    return pid is not None and daemon_state(kind, pid) in READY[kind]


def joins_quorum(name: str, fsid: str) -> bool:
    """Return True once a monitor is in the quorum; False after QUORUM_SECONDS outside of it.

    A monitor leaves the quorum for a moment when another one restarts.
    """
    deadline = time.monotonic() + QUORUM_SECONDS
    while not is_ready("mon", process_of(name, fsid)):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def refuse_foreign_user(name: str, pid: int) -> None:
    """Raise OSError unless root or ceph runs the process."""
    owner = os.stat("/proc/{}".format(pid)).st_uid
    if owner not in SYSTEM_USERS:
        raise OSError(errno.EPERM, FOREIGN_USER.format(name, owner))


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


def conf_path(name: str, pid: int) -> str:
    """Return the ceph.conf a daemon reads when it starts (ceph(8): -c, CEPH_CONF, --cluster)."""
    if is_contained(pid):
        paths = [path for path in glob.glob(CEPHADM.format(name)) if is_unit_folder(path, pid)]
        if len(paths) != 1:
            raise OSError(errno.ENOENT, CONTAINER.format(name))
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


def unit_of(name: str, pid: int) -> str:
    """Return the systemd unit of a daemon (package or cephadm); "" if it has none."""
    kind, daemon_id = split_name(name)
    pattern = UNIT.format(kind=kind, id=re.escape(daemon_id))
    match = re.search(pattern, read_text("/proc/{}/cgroup".format(pid)) or "")
    if match:
        return match.group(1)
    if is_contained(pid):  # Docker puts the container outside of the unit
        return "ceph-{}@{}.service".format(conf_path(name, pid).split("/")[4], name)
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
