"""Kernel settings that can be lent: files below /proc/sys (proc(5), sysctl(8)). Those of the
network are of the network namespace the agent runs in.
"""

import os
import re
from typing import Dict, List, Optional, Tuple

from ..errors import ImpossibleError
from ..files import read_text, write_value
from ..shapes import JournalSetting, Setting
from .setting import SettingKind, line
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


class SysctlKind(SettingKind):
    """`identity` is empty, `name` is "vm.swappiness"."""

    def objection(self, setting: Setting) -> str:
        name, value = setting["name"], plain(str(setting["value"]))
        if not allowed(name):
            return "{!r} is not a kernel setting that can be lent.".format(name)
        if not VALUE.match(value):
            return "{} must be one line of text, not {!r}.".format(name, value)
        lowest = LOWEST.get(name, 0)
        if lowest and not (value.isdigit() and int(value) >= lowest):
            return "{} must be a whole number from {}, not {!r}.".format(name, lowest, value)
        return ""

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        values = {setting["name"]: plain(str(setting["value"])) for setting in wanted}
        along = {TWINS[name] for name in values if name in TWINS}
        settings = []
        for name in sorted(set(values) | along):
            original = self.read(line(SYSCTL, "", name))
            if original is None and name in values:
                raise ImpossibleError(
                    ["Tuning: this host's kernel has no setting {}.".format(name)]
                )
            if original is not None:
                settings.append(line(SYSCTL, "", name, original, values.get(name)))
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        return os.path.exists(path_of(setting["name"]))

    def read(self, setting: JournalSetting) -> Optional[str]:
        text = read_text(path_of(setting["name"]))
        return None if text is None else plain(text)

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(setting["name"]), value + "\n")

    def whose(self, setting: JournalSetting) -> str:
        return "this host"

    def rank(self, setting: JournalSetting) -> int:
        """The twin that is not 0 first: it makes the other 0, which cannot be written."""
        return 1 if setting["name"] in TWINS and setting["original"] == "0" else 0

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return SYSCTL, setting["name"]


def plain(text: str) -> str:
    """The kernel separates several numbers by tabs; people by blanks."""
    return " ".join(text.split())


def path_of(name: str) -> str:
    """The file of a setting whose name is allowed: its dots are slashes."""
    return os.path.join(ROOT, *name.split("."))
