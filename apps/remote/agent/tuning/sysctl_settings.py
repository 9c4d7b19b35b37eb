"""Settings of kind `sysctl`: files below /proc/sys (proc(5), sysctl(8)).

Network settings belong to the agent's network namespace.
"""

import os
import re
from typing import Dict, List, Optional, Tuple

from ..errors import TuningUnavailableError
from ..files import read_text, write_value
from ..schema import JournalSetting, SettingSpec
from .setting import SettingKind, journal_line
from .sysctl_names import is_allowed

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
MIN_VALUES = {
    "kernel.pid_max": 32768,
    "kernel.threads-max": 4096,
    "fs.file-max": 65536,
    "fs.nr_open": 65536,
}


class SysctlKind(SettingKind):
    """`identity` is empty; `name` is such as "vm.swappiness"."""

    def validate(self, setting: SettingSpec) -> str:
        name, value = setting["name"], normalize_blanks(str(setting["value"]))
        if not is_allowed(name):
            return "{!r} is not a kernel setting that can be applied.".format(name)
        if not VALUE.match(value):
            return "{} must be one line of text, not {!r}.".format(name, value)
        lowest = MIN_VALUES.get(name, 0)
        if lowest and not (value.isdigit() and int(value) >= lowest):
            return "{} must be a whole number from {}, not {!r}.".format(name, lowest, value)
        return ""

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        values = {setting["name"]: normalize_blanks(str(setting["value"])) for setting in wanted}
        along = {TWINS[name] for name in values if name in TWINS}
        settings = []
        for name in sorted(set(values) | along):
            original = self.read(journal_line(SYSCTL, "", name))
            if original is None and name in values:
                raise TuningUnavailableError(
                    ["Tuning: this host's kernel has no setting {}.".format(name)]
                )
            if original is not None:
                settings.append(journal_line(SYSCTL, "", name, original, values.get(name)))
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        return os.path.exists(path_of(setting["name"]))

    def read(self, setting: JournalSetting) -> Optional[str]:
        text = read_text(path_of(setting["name"]))
        return None if text is None else normalize_blanks(text)

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(setting["name"]), value + "\n")

    def owner(self, setting: JournalSetting) -> str:
        return "this host"

    def rank(self, setting: JournalSetting) -> int:
        """Restore the non-zero twin first: it sets the other to 0, which cannot be written."""
        return 1 if setting["name"] in TWINS and setting["original"] == "0" else 0

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return SYSCTL, setting["name"]


def normalize_blanks(text: str) -> str:
    """Replace the kernel's tabs between numbers by blanks."""
    return " ".join(text.split())


def path_of(name: str) -> str:
    """Return the file of an allowed setting: its dots become slashes."""
    return os.path.join(ROOT, *name.split("."))
