"""Settings of kind `governor` (Documentation/admin-guide/pm/cpufreq.rst).

One setting for all CPUs; one journal line for each frequency policy. A governor may also change the
energy performance preference (intel_pstate.rst), so that is in the journal too.
"""

import os
import re
from typing import List, Optional, Tuple

from ..errors import TuningUnavailableError
from ..files import list_folder, read_text, write_value
from ..schema import JournalSetting, SettingSpec
from .setting import SettingKind, journal_line

ROOT = "/sys/devices/system/cpu/cpufreq"
GOVERNOR = "governor"
NAME = "scaling_governor"
COUPLED_NAME = "energy_performance_preference"
POLICY = re.compile(r"^policy[0-9]{1,5}$")
VALUE = re.compile(r"^[a-z_]{1,30}$")
NO_POLICY = (
    "Tuning: this host offers no governors for its CPUs ({} has no policy), as most virtual "
    "machines."
)


class GovernorKind(SettingKind):
    """`identity` is a policy such as "policy0"; in a request it is empty and means all policies."""

    def validate(self, setting: SettingSpec) -> str:
        if setting["name"] != NAME:
            return "{!r} is not a CPU setting that can be applied.".format(setting["name"])
        value = str(setting["value"])
        return "" if VALUE.match(value) else "{!r} is not a governor's name.".format(value)

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        result: List[JournalSetting] = []
        for setting in wanted[:1]:
            policies = [one for one in list_folder(ROOT) if POLICY.match(one)]
            for policy in sorted(policies, key=lambda name: int(name[6:])):
                result += policy_lines(policy, str(setting["value"]))
            if not result:
                raise TuningUnavailableError([NO_POLICY.format(ROOT)])
        return result

    def is_there(self, setting: JournalSetting) -> bool:
        return os.path.exists(path_of(setting))

    def read(self, setting: JournalSetting) -> Optional[str]:
        return read_text(path_of(setting))

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(setting), value)

    def owner(self, setting: JournalSetting) -> str:
        return "the CPUs of " + setting["identity"]

    def hint(self, setting: JournalSetting) -> str:
        folder = os.path.join(ROOT, setting["identity"])
        offered = read_text(os.path.join(folder, "scaling_available_governors"))
        return "They offer: {}.".format(", ".join(offered.split())) if offered else ""

    def rank(self, setting: JournalSetting) -> int:
        """Restore the governor first: it changes the preference and may block its write."""
        return 0 if setting["name"] == NAME else 1

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return GOVERNOR, setting["identity"]


def policy_lines(policy: str, value: str) -> List[JournalSetting]:
    """Return the journal lines of a policy; empty if it has no governor."""
    result = []
    for name, requested in ((NAME, value), (COUPLED_NAME, None)):
        original = read_text(os.path.join(ROOT, policy, name))
        if original is not None:
            result.append(journal_line(GOVERNOR, policy, name, original, requested))
    return result


def path_of(setting: JournalSetting) -> str:
    """Return the file of a policy's setting."""
    return os.path.join(ROOT, setting["identity"], setting["name"])
