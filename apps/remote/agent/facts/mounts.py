"""File systems that hold data, with the options that change what a test measures."""

from typing import Dict, List

from ..disks.mounts import Mount, mounts
from ..schema import Response

# Kinds without stored data (filesystems(5), kernel: Documentation/filesystems).
PSEUDO = frozenset(
    "autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl "
    "hugetlbfs mqueue nsfs proc pstore ramfs rpc_pipefs securityfs selinuxfs squashfs sysfs "
    "tracefs".split()
)
# Addresses and keys differ between hosts and say nothing about the load.
LEFT_OUT = frozenset(
    "addr clientaddr mountaddr mountport port secret name uid gid user username".split()
)
RUNTIME = ("/run", "/dev", "/sys", "/var/lib/docker", "/var/lib/kubelet")
MAX_MOUNTS = 200
MAX_OPTIONS = 60
MAX_LENGTH = 300


def mount_facts() -> List[Response]:
    """Return the mounts that hold data; a mount over another one at the same point replaces it."""
    result: Dict[str, Response] = {}
    for mount in mounts():
        result.pop(mount.point, None)
        if mount.kind not in PSEUDO and not is_runtime(mount):
            result[mount.point] = describe_mount(mount)
    return list(result.values())[:MAX_MOUNTS]


def is_runtime(mount: Mount) -> bool:
    """Return True for layers of containers and the system's own tmpfs, which come and go."""
    if mount.kind == "overlay":
        return mount.point != "/"
    return mount.kind == "tmpfs" and mount.point.startswith(RUNTIME)


def describe_mount(mount: Mount) -> Response:
    """Return point, kind, server and options of a mount; a local disk has no server."""
    return {
        "point": mount.point,
        "kind": mount.kind,
        "server": server_of(mount.source),
        "source": mount.source[:MAX_LENGTH],
        "options": options_of(mount),
    }


def server_of(source: str) -> str:
    """Return the server of "server:/export", "[fe80::1]:/export", "//server/share"; else ""."""
    if source.startswith("//"):
        return source[2:].partition("/")[0][:MAX_LENGTH]
    server, separator, _path = source.rpartition(":/")
    return server.strip("[]")[:MAX_LENGTH] if separator and not source.startswith("/") else ""


def options_of(mount: Mount) -> Dict[str, str]:
    """Return the options by name; "" for one without a value."""
    result: Dict[str, str] = {}
    for text in (mount.options + "," + mount.fs_options).split(","):
        name, _separator, value = text.partition("=")
        if name and name not in LEFT_OUT and len(result) < MAX_OPTIONS:
            result[name[:40]] = value[:MAX_LENGTH]
    return result
