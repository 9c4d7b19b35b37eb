"""Settings of kind `irq`: CPUs that serve interrupts (Documentation/core-api/irq/irq-affinity.rst).

One setting for all interrupts that match a name or belong to the disks under test; one journal line
for each interrupt.
"""

import fnmatch
import os
from typing import Dict, List, Optional, Tuple

from ..disks.blocks import device_stack
from ..disks.hardware_queues import cpu_list
from ..errors import RefusalError, TuningUnavailableError
from ..files import list_folder, read_text, write_value
from ..schema import JournalSetting, SettingSpec
from .irq_names import OF_DISKS, SPREAD, is_cpu_value, is_pattern
from .queue_settings import single_disk
from .setting import SettingKind, journal_line

ROOT = "/proc/irq"
ONLINE = "/sys/devices/system/cpu/online"
IRQ = "irq"
FILE = "smp_affinity_list"
MAX_INTERRUPTS = 4096
ABSENT = "Tuning: this host has no interrupt that {} names."
NO_INTERRUPTS = "Tuning: {} shows no interrupts of its own on this host."
TWICE = "Tuning: interrupt {} is named by {} and by {}; name it once."
MANAGED = (
    "If its driver keeps each queue on CPUs of its own (a managed interrupt, as of most NVMe and "
    "virtio disks), it cannot be moved."
)


class IrqKind(SettingKind):
    """`identity` is an interrupt such as "irq 41 (eth0-rx-0)"; `name` is the pattern.

    In a request `identity` is a disk's or empty.
    """

    def validate(self, setting: SettingSpec) -> str:
        name, value = setting["name"], str(setting["value"])
        if not is_pattern(name):
            return "{!r} names no interrupts.".format(name)
        return "" if is_cpu_value(value) else "{!r} is no list of CPUs.".format(value)

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        result: Dict[int, JournalSetting] = {}
        for setting, numbers in group_interrupts(wanted):
            for index, number in enumerate(numbers):
                if number in result:
                    words = number, result[number]["name"], setting["name"]
                    raise RefusalError([TWICE.format(*words)])
                value = interrupt_cpus(str(setting["value"]), index)
                original = read_text(path_of(number)) or ""
                identity = "irq {} ({})".format(number, ", ".join(handler_names(number)))
                result[number] = journal_line(IRQ, identity, setting["name"], original, value)
        return list(result.values())

    def is_there(self, setting: JournalSetting) -> bool:
        """Return True if the interrupt exists and belongs to the same device."""
        number = number_of(setting)
        names = ", ".join(handler_names(number))
        return os.path.exists(path_of(number)) and setting["identity"].endswith(
            "({})".format(names)
        )

    def read(self, setting: JournalSetting) -> Optional[str]:
        return read_text(path_of(number_of(setting)))

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(number_of(setting)), value)

    def is_equal(self, requested: str, actual: Optional[str]) -> bool:
        """Return True if both are the same CPUs, in any notation."""
        return actual is not None and set(cpu_list(requested)) == set(cpu_list(actual))

    def owner(self, setting: JournalSetting) -> str:
        return setting["identity"]

    def hint(self, setting: JournalSetting) -> str:
        return MANAGED

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return IRQ, setting["identity"]


def group_interrupts(wanted: List[SettingSpec]) -> List[Tuple[SettingSpec, List[int]]]:
    """Return each setting with its interrupts.

    Those of several disks form one group, so that they are spread over the CPUs together. Raises:
    TuningUnavailableError.
    """
    result: List[Tuple[SettingSpec, List[int]]] = []
    of_disks: List[int] = []
    for setting in wanted:
        if setting["name"] != OF_DISKS:
            numbers = matching_interrupts(setting["name"].partition(":")[2])
            if not numbers:
                raise TuningUnavailableError([ABSENT.format(setting["name"])])
            result.append((setting, numbers))
            continue
        if not of_disks:
            result.append((setting, of_disks))
        of_disks += [one for one in disk_interrupts(setting["identity"]) if one not in of_disks]
    return result


def all_interrupts() -> List[int]:
    """Return the numbers of interrupts with a handler."""
    numbers = sorted(int(name) for name in list_folder(ROOT) if name.isdigit())
    return [number for number in numbers if handler_names(number)][:MAX_INTERRUPTS]


def handler_names(number: int) -> List[str]:
    """Return the names of an interrupt's handlers.

    Each is a folder of it (fs/proc: register_irq_proc, register_handler_proc).
    """
    folder = os.path.join(ROOT, str(number))
    return [one for one in list_folder(folder) if os.path.isdir(os.path.join(folder, one))]


def matching_interrupts(pattern: str) -> List[int]:
    """Return the interrupts with a handler name that matches."""
    return [
        n
        for n in all_interrupts()
        if any(fnmatch.fnmatchcase(one, pattern) for one in handler_names(n))
    ]


def disk_interrupts(identity: str) -> List[int]:
    """Return the interrupts of a disk's controllers, including stacked devices.

    Raises: TuningUnavailableError if there are none.
    """
    top = single_disk(identity)
    numbers = {
        n for block in device_stack(top) for n in device_interrupts(os.path.realpath(block.folder))
    }
    result = [number for number in all_interrupts() if number in numbers]
    if not result:
        raise TuningUnavailableError([NO_INTERRUPTS.format(top.name)])
    return result


def device_interrupts(folder: str) -> List[int]:
    """Return the interrupts of the nearest parent device that has any (sysfs-bus-pci: msi_irqs)."""
    while len(folder) > len("/sys/devices"):
        numbers = [int(one) for one in list_folder(folder + "/msi_irqs") if one.isdigit()]
        if numbers:
            return numbers
        folder = os.path.dirname(folder)
    return []


def interrupt_cpus(value: str, index: int) -> str:
    """Return the CPUs of one interrupt; for "spread" the next online CPU."""
    if value != SPREAD:
        return value
    online = cpu_list(read_text(ONLINE) or "") or [0]
    return str(online[index % len(online)])


def number_of(setting: JournalSetting) -> int:
    """Return the interrupt of a journal line."""
    return int(setting["identity"].split()[1])


def path_of(number: int) -> str:
    """Return the file with the CPUs of an interrupt."""
    return os.path.join(ROOT, str(number), FILE)
