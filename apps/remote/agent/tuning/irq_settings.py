"""CPUs that serve interrupts (Documentation/core-api/irq/irq-affinity.rst): one setting for all
whose names match, or for those of the disks under test; a line of the journal for each interrupt.
"""

import fnmatch
import os
from typing import Dict, List, Optional, Tuple

from ..disks.blocks import below
from ..disks.facts import cpu_list
from ..errors import ImpossibleError, RefusalError
from ..files import list_folder, read_text, write_value
from ..shapes import JournalSetting, Setting
from .irq_names import OF_DISKS, SPREAD, named, of_cpus
from .queue_settings import only
from .setting import SettingKind, line

ROOT = "/proc/irq"
ONLINE = "/sys/devices/system/cpu/online"
IRQ = "irq"
FILE = "smp_affinity_list"
MOST = 4096
ABSENT = "Tuning: this host has no interrupt that {} names."
NO_INTERRUPTS = "Tuning: {} shows no interrupts of its own on this host."
TWICE = "Tuning: interrupt {} is named by {} and by {}; name it once."
MANAGED = (
    "If its driver keeps each queue on CPUs of its own (a managed interrupt, as of most NVMe and "
    "virtio disks), nobody else can move it."
)


class IrqKind(SettingKind):
    """`identity` is an interrupt, such as "irq 41 (eth0-rx-0)"; as asked for it is a disk's, or
    empty. `name` is the pattern.
    """

    def objection(self, setting: Setting) -> str:
        name, value = setting["name"], str(setting["value"])
        if not named(name):
            return "{!r} names no interrupts.".format(name)
        return "" if of_cpus(value) else "{!r} is no list of CPUs.".format(value)

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        found: Dict[int, JournalSetting] = {}
        for setting, numbers in together(wanted):
            for place, number in enumerate(numbers):
                if number in found:
                    words = number, found[number]["name"], setting["name"]
                    raise RefusalError([TWICE.format(*words)])
                value = cpus_of(str(setting["value"]), place)
                original = read_text(path_of(number)) or ""
                identity = "irq {} ({})".format(number, ", ".join(actions(number)))
                found[number] = line(IRQ, identity, setting["name"], original, value)
        return list(found.values())

    def is_there(self, setting: JournalSetting) -> bool:
        """Whether the interrupt is there, and still is the same device's."""
        number = number_of(setting)
        said = ", ".join(actions(number))
        return os.path.exists(path_of(number)) and setting["identity"].endswith("({})".format(said))

    def read(self, setting: JournalSetting) -> Optional[str]:
        return read_text(path_of(number_of(setting)))

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(number_of(setting)), value)

    def same(self, asked: str, found: Optional[str]) -> bool:
        """Whether both are the same CPUs, however they are written."""
        return found is not None and set(cpu_list(asked)) == set(cpu_list(found))

    def whose(self, setting: JournalSetting) -> str:
        return setting["identity"]

    def hint(self, setting: JournalSetting) -> str:
        return MANAGED

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return IRQ, setting["identity"]


def together(wanted: List[Setting]) -> List[Tuple[Setting, List[int]]]:
    """Each setting with its interrupts; those of several disks are one, so that they are spread
    over the CPUs together. Raises ImpossibleError.
    """
    found: List[Tuple[Setting, List[int]]] = []
    of_disks: List[int] = []
    for setting in wanted:
        if setting["name"] != OF_DISKS:
            numbers = matching(setting["name"].partition(":")[2])
            if not numbers:
                raise ImpossibleError([ABSENT.format(setting["name"])])
            found.append((setting, numbers))
            continue
        if not of_disks:
            found.append((setting, of_disks))
        of_disks += [one for one in of_disk(setting["identity"]) if one not in of_disks]
    return found


def every() -> List[int]:
    """Numbers of the interrupts that something has asked for."""
    numbers = sorted(int(name) for name in list_folder(ROOT) if name.isdigit())
    return [number for number in numbers if actions(number)][:MOST]


def actions(number: int) -> List[str]:
    """Names of those who asked for an interrupt: each is a folder of it (fs/proc, register_irq_proc
    and register_handler_proc).
    """
    folder = os.path.join(ROOT, str(number))
    return [one for one in list_folder(folder) if os.path.isdir(os.path.join(folder, one))]


def matching(pattern: str) -> List[int]:
    """Interrupts that are asked for under such a name."""
    return [n for n in every() if any(fnmatch.fnmatchcase(one, pattern) for one in actions(n))]


def of_disk(identity: str) -> List[int]:
    """Interrupts of the controllers of a disk, also of one stacked on others. Raises
    ImpossibleError where it shows none.
    """
    top = only(identity)
    numbers = {n for block in below(top) for n in of_device(os.path.realpath(block.folder))}
    found = [number for number in every() if number in numbers]
    if not found:
        raise ImpossibleError([NO_INTERRUPTS.format(top.name)])
    return found


def of_device(folder: str) -> List[int]:
    """Interrupts of the nearest device above that has any (sysfs-bus-pci: msi_irqs)."""
    while len(folder) > len("/sys/devices"):
        numbers = [int(one) for one in list_folder(folder + "/msi_irqs") if one.isdigit()]
        if numbers:
            return numbers
        folder = os.path.dirname(folder)
    return []


def cpus_of(value: str, place: int) -> str:
    """The CPUs of one interrupt of several: of a spread the next that is online."""
    if value != SPREAD:
        return value
    online = cpu_list(read_text(ONLINE) or "") or [0]
    return str(online[place % len(online)])


def number_of(setting: JournalSetting) -> int:
    """The interrupt of a journal's line."""
    return int(setting["identity"].split()[1])


def path_of(number: int) -> str:
    """The file with the CPUs of an interrupt."""
    return os.path.join(ROOT, str(number), FILE)
