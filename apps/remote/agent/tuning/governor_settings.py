"""CPU governors that can be lent (Documentation/admin-guide/pm/cpufreq.rst): one setting for all
CPUs of the host, a line of the journal for each frequency policy. A governor may change what the
CPU is told of energy and performance along (intel_pstate.rst), which is in the journal too.
"""

import os
import re
from typing import List, Optional, Tuple

from ..errors import ImpossibleError
from ..files import list_folder, read_text, write_value
from ..shapes import JournalSetting, Setting
from .setting import SettingKind, line

ROOT = "/sys/devices/system/cpu/cpufreq"
GOVERNOR = "governor"
NAME = "scaling_governor"
ALONG = "energy_performance_preference"
POLICY = re.compile(r"^policy[0-9]{1,5}$")
VALUE = re.compile(r"^[a-z_]{1,30}$")
NONE_HERE = (
    "Tuning: this host lets nobody choose a governor for its CPUs ({} shows no policy), as virtual "
    "machines mostly do."
)


class GovernorKind(SettingKind):
    """`identity` is a policy, such as "policy0"; as asked for it is empty: all of them."""

    def objection(self, setting: Setting) -> str:
        if setting["name"] != NAME:
            return "{!r} is not a setting of CPUs that can be lent.".format(setting["name"])
        value = str(setting["value"])
        return "" if VALUE.match(value) else "{!r} is not a governor's name.".format(value)

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        found: List[JournalSetting] = []
        for setting in wanted[:1]:
            policies = [one for one in list_folder(ROOT) if POLICY.match(one)]
            for policy in sorted(policies, key=lambda name: int(name[6:])):
                found += lines(policy, str(setting["value"]))
            if not found:
                raise ImpossibleError([NONE_HERE.format(ROOT)])
        return found

    def is_there(self, setting: JournalSetting) -> bool:
        return os.path.exists(path_of(setting))

    def read(self, setting: JournalSetting) -> Optional[str]:
        return read_text(path_of(setting))

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(setting), value)

    def whose(self, setting: JournalSetting) -> str:
        return "the CPUs of " + setting["identity"]

    def hint(self, setting: JournalSetting) -> str:
        folder = os.path.join(ROOT, setting["identity"])
        offered = read_text(os.path.join(folder, "scaling_available_governors"))
        return "They offer: {}.".format(", ".join(offered.split())) if offered else ""

    def rank(self, setting: JournalSetting) -> int:
        """The governor first: it changes the other along, and may keep it from being written."""
        return 0 if setting["name"] == NAME else 1

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return GOVERNOR, setting["identity"]


def lines(policy: str, value: str) -> List[JournalSetting]:
    """A policy's lines; none where it has no governor."""
    found = []
    for name, asked in ((NAME, value), (ALONG, None)):
        original = read_text(os.path.join(ROOT, policy, name))
        if original is not None:
            found.append(line(GOVERNOR, policy, name, original, asked))
    return found


def path_of(setting: JournalSetting) -> str:
    """The file of a policy's setting."""
    return os.path.join(ROOT, setting["identity"], setting["name"])
