"""The host's identity and its clocks."""

import os
import time
from typing import Dict, Optional

from ..files import read_text
from ..shapes import Moment

SBIN = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


def boot_id() -> str:
    """A fresh UUID for every boot (random(4))."""
    return read_text("/proc/sys/kernel/random/boot_id") or ""


def machine_id() -> str:
    """machine-id(5): stable over reboots, different on every installation."""
    return read_text("/etc/machine-id") or read_text("/var/lib/dbus/machine-id") or ""


def now() -> Moment:
    """Both clocks: `monotonic` for durations, `realtime` (seconds since 1970 UTC) for people."""
    return {"monotonic": time.monotonic(), "realtime": time.time()}


def free_bytes(folder: str) -> Optional[int]:
    """Bytes that may still be written to the file system of a folder; None when it cannot be
    told.
    """
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def base_folder() -> str:
    """The folder in which the agent keeps everything; made with mode 0700 when it is missing."""
    path = os.environ.get("BENCHLAB_AGENT_BASE")
    if not path and os.geteuid() == 0:
        path = "/var/lib/benchlab"
    path = os.path.abspath(path or os.path.expanduser("~/.local/state/benchlab"))
    make_folders(path)
    return path


def make_folders(base: str) -> None:
    """Make the agent's folders where they are missing: somebody may remove them at any time."""
    for folder in (base, os.path.join(base, "jobs"), os.path.join(base, "done")):
        os.makedirs(folder, 0o700, exist_ok=True)


def search_path(base: str) -> str:
    """PATH for every command: benchlab's own tools first, then the system's, sbin included (ssh
    often lacks it).
    """
    folders = [os.path.join(base, "tools", "bin")]
    extra = os.environ.get("BENCHLAB_TOOLS_PATH")
    if extra:
        folders.extend(extra.split(":"))
    return ":".join(folders + list(SBIN))


def command_environment(base: str) -> Dict[str, str]:
    """The environment of tools and helpers: nothing of the login's, and the language that parsers
    know.
    """
    return {
        "PATH": search_path(base),
        "LC_ALL": "C",
        "LANG": "C",
        "HOME": os.path.expanduser("~"),
        "TZ": "UTC",
        "DEBIAN_FRONTEND": "noninteractive",
    }
