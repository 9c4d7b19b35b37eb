"""Identity and clocks of the host, and the agent's folders."""

import os
import time
from typing import Dict, Optional

from ..files import read_text
from ..schema import HostTimestamp

SBIN = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


def boot_id() -> str:
    """Return the UUID of this boot (random(4))."""
    return read_text("/proc/sys/kernel/random/boot_id") or ""


def machine_id() -> str:
    """Return machine-id(5): stable over reboots, different for every installation."""
    return read_text("/etc/machine-id") or read_text("/var/lib/dbus/machine-id") or ""


def now() -> HostTimestamp:
    """Return both clocks: `monotonic` for durations, `realtime` in seconds since 1970 UTC."""
    return {"monotonic": time.monotonic(), "realtime": time.time()}


def free_bytes(folder: str) -> Optional[int]:
    """Return the available bytes of a folder's file system; None if unknown."""
    try:
        result = os.statvfs(folder)
    except OSError:
        return None
    return result.f_bavail * result.f_frsize


def base_folder() -> str:
    """Return the agent's folder; creates it with mode 0700."""
    path = os.environ.get("BENCHLAB_AGENT_DIR")
    if not path and os.geteuid() == 0:
        path = "/var/lib/benchlab"
    path = os.path.abspath(path or os.path.expanduser("~/.local/state/benchlab"))
    make_folders(path)
    return path


def make_folders(base: str) -> None:
    """Create the agent's folders if they are missing; they may be deleted at any time."""
    for folder in (base, os.path.join(base, "jobs"), os.path.join(base, "done")):
        os.makedirs(folder, 0o700, exist_ok=True)


def search_path(base: str) -> str:
    """Return PATH for commands: benchlab's tools, then the system's including sbin."""
    folders = [os.path.join(base, "tools", "bin")]
    extra = os.environ.get("BENCHLAB_TOOLS_PATH")
    if extra:
        folders.extend(extra.split(":"))
    return ":".join(folders + list(SBIN))


def command_environment(base: str) -> Dict[str, str]:
    """Return the environment of tools: nothing of the login's, and the locale that parsers need."""
    return {
        "PATH": search_path(base),
        "LC_ALL": "C",
        "LANG": "C",
        "HOME": os.path.expanduser("~"),
        "TZ": "UTC",
        "DEBIAN_FRONTEND": "noninteractive",
    }
