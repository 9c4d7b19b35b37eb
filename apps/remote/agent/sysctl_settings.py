"""Kernel settings that can be lent: files below /proc/sys (proc(5), sysctl(8)). Those of the
network are of the network namespace the agent runs in.
"""

import os
import re
from typing import Dict, List, Optional, Tuple

from .errors import RefusalError
from .files import JSON, read_text
from .setting import Entry, Kind, line
from .sysctl_names import allowed

ROOT = "/proc/sys"
SYSCTL = "sysctl"
VALUE = re.compile(r"^[\x20-\x7e]{1,200}$")
# Setting one of a pair makes the other 0 (Documentation/admin-guide/sysctl/vm.rst).
PAIRS = (
    ("vm.dirty_bytes", "vm.dirty_ratio"),
    ("vm.dirty_background_bytes", "vm.dirty_background_ratio"),
)
TWINS: Dict[str, str] = dict(PAIRS + tuple((second, first) for first, second in PAIRS))
# Below these a host can no longer start what would be needed to put them back.
LOWEST = {
    "kernel.pid_max": 32768,
    "kernel.threads-max": 4096,
    "fs.file-max": 65536,
    "fs.nr_open": 65536,
}


class SysctlKind(Kind):
    """`identity` is empty, `name` is "vm.swappiness"."""

    def objection(self, item: JSON) -> str:
        name, value = item["name"], plain(str(item["value"]))
        if not allowed(name):
            return "{!r} is not a kernel setting that can be lent.".format(name)
        if not VALUE.match(value):
            return "{} must be one line of text, not {!r}.".format(name, value)
        lowest = LOWEST.get(name, 0)
        if lowest and not (value.isdigit() and int(value) >= lowest):
            return "{} must be a whole number from {}, not {!r}.".format(name, lowest, value)
        return ""

    def snapshot(self, wanted: List[JSON]) -> List[Entry]:
        values = {item["name"]: plain(str(item["value"])) for item in wanted}
        along = {TWINS[name] for name in values if name in TWINS}
        entries = []
        for name in sorted(set(values) | along):
            entry = line(SYSCTL, "", name, None)
            original = self.read(entry)
            if original is None and name in values:
                raise RefusalError(["Tuning: this host's kernel has no setting {}.".format(name)])
            if original is not None:
                value = values.get(name)
                entries.append(dict(entry, original=original, seen=original, value=value))
        return entries

    def is_there(self, entry: Entry) -> bool:
        return os.path.exists(path_of(entry["name"]))

    def read(self, entry: Entry) -> Optional[str]:
        text = read_text(path_of(entry["name"]))
        return None if text is None else plain(text)

    def write(self, entry: Entry, value: str) -> None:
        fd = os.open(path_of(entry["name"]), os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, (value + "\n").encode())
        finally:
            os.close(fd)

    def whose(self, entry: Entry) -> str:
        return "this host"

    def rank(self, entry: Entry) -> int:
        """Of a pair the one that is not 0 first: it makes the other 0, which cannot be written."""
        return 1 if entry["name"] in TWINS and entry["original"] == "0" else 0

    def lent(self, entry: Entry) -> Tuple[str, ...]:
        return SYSCTL, entry["name"]


def plain(text: str) -> str:
    """The kernel separates several numbers by tabs; people by blanks."""
    return " ".join(text.split())


def path_of(name: str) -> str:
    """The file of a setting whose name is allowed: its dots are slashes."""
    return os.path.join(ROOT, *name.split("."))
