"""Settings of kind `queue` (Documentation/ABI/stable/sysfs-block, queue/*).

The five NAMES of a disk are always in the journal, since a scheduler resets others. wbt_lat_usec
and the scheduler's attributes are added if the scheduler changes, others if requested.
"""

import os
import re
from typing import List, Optional, Set, Tuple

from ..disks.blocks import Block, resolve
from ..errors import RefusalError, TuningUnavailableError
from ..files import list_folder, read_text, write_value
from ..schema import JournalSetting, SettingSpec
from .iosched_names import ABSENT, PREFIX, is_name, is_value
from .setting import SettingKind, journal_line

QUEUE = "queue"

# The scheduler first: changing it resets nr_requests.
NAMES = ("scheduler", "max_sectors_kb", "rq_affinity", "nr_requests", "read_ahead_kb")
WBT = "wbt_lat_usec"
DISCARD = "discard_max_bytes"
OPTIONAL_NAMES = (
    "nomerges",
    WBT,
    "rotational",
    "add_random",
    "io_timeout",
    DISCARD,
    "io_poll",
    "io_poll_delay",
    "stable_writes",
)
# With these the kernel sets a scheduler's attributes anew (mq-deadline: async_depth).
RESETTING = ("scheduler", "nr_requests")
# The largest number that the kernel takes for these files (block/blk-sysfs.c, queue_var_store).
MAX_VALUE = (1 << 32) - 1
SCHEDULER = re.compile(r"^[a-z0-9_-]{1,15}$")
# Limits of the kernel; the limits of a disk are found by writing and reading back.
RANGES = {
    "max_sectors_kb": (4, 1 << 20),
    "rq_affinity": (0, 2),
    "nr_requests": (4, 1 << 16),
    "read_ahead_kb": (0, 1 << 20),
    "nomerges": (0, 2),
    WBT: (0, 10**7),
    "rotational": (0, 1),
    "add_random": (0, 1),
    "io_timeout": (1, 10**7),
    DISCARD: (0, MAX_VALUE),
    "io_poll": (0, 1),
    "io_poll_delay": (-1, 10**6),
    "stable_writes": (0, 1),
}


def path_of(block: Block, name: str) -> str:
    """Return the sysfs file of a setting."""
    return os.path.join(block.folder, "queue", name)


def current(block: Block, name: str) -> Optional[str]:
    """Return the present value; of `scheduler` the active one.

    None if the disk has no such setting; ABSENT if the active scheduler has no such attribute.
    """
    text = read_text(path_of(block, name))
    if text is None and name.startswith(PREFIX):
        return ABSENT
    if text is None or name != "scheduler":
        return text
    chosen = re.search(r"\[([^\]]+)\]", text)
    return chosen.group(1) if chosen else text


def schedulers(block: Block) -> List[str]:
    """Return the schedulers the kernel offers for a disk."""
    return re.sub(r"[\[\]]", " ", read_text(path_of(block, "scheduler")) or "").split()


def kernel_value(block: Block, name: str, value: str) -> str:
    """Return a value as the kernel stores it.

    discard_max_bytes is rounded up to the granularity, since the kernel also limits it to the
    device's maximum.
    """
    if name != DISCARD:
        return value
    step = block.number("queue/discard_granularity") or 1
    return str(-(-int(value) // step) * step)


def irreversible(block: Block, name: str, original: str) -> str:
    """Return why a setting could not be restored, as a sentence; "" if it could.

    Many disks have a discard_max_bytes above the largest writable value.
    """
    if name != DISCARD or int(kernel_value(block, name, original)) <= MAX_VALUE:
        return ""
    sentence = "{} of {} is {} and could not be restored: the kernel accepts at most {}."
    return sentence.format(name, block.name, original, MAX_VALUE)


def attributes(block: Block) -> List[str]:
    """Return the attributes of the active scheduler."""
    return [PREFIX + name for name in list_folder(path_of(block, PREFIX))]


def value_error(name: str, value: str) -> str:
    """Return why a value is invalid, as a sentence; "" if it is valid."""
    if is_name(name):
        return "" if is_value(value) else "{} takes a whole number, not {!r}.".format(name, value)
    if name == "scheduler":
        return "" if SCHEDULER.match(value) else "{!r} is not a scheduler's name.".format(value)
    if name not in RANGES:
        return "{!r} is not a setting that can be applied.".format(name)
    lowest, highest = RANGES[name]
    canonical = re.match(r"-?[0-9]{1,15}\Z", value) and str(int(value)) == value
    if canonical and lowest <= int(value) <= highest:
        return ""
    return "{} must be a whole number from {} to {}, not {!r}.".format(name, lowest, highest, value)


class QueueKind(SettingKind):
    """`identity` is the disk's; `name` is a file of /sys/block/<disk>/queue."""

    def validate(self, setting: SettingSpec) -> str:
        return value_error(setting["name"], str(setting["value"]))

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        values = {
            (setting["identity"], setting["name"]): str(setting["value"]) for setting in wanted
        }
        settings = []
        for identity in sorted({setting["identity"] for setting in wanted}):
            block = single_disk(identity)
            requested = {name for one, name in values if one == identity}
            for name in affected_names(block, requested):
                value, original = values.get((identity, name)), current(block, name)
                absent = original == ABSENT and "scheduler" not in requested
                if (original is None or absent) and value is not None:
                    raise TuningUnavailableError(
                        ["Tuning: {} has no setting {}.".format(block.name, name)]
                    )
                reason = irreversible(block, name, original or "") if value is not None else ""
                if reason:
                    raise TuningUnavailableError(["Tuning: " + reason])
                if original is not None:
                    settings.append(journal_line(QUEUE, identity, name, original, value))
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        """Return True if the disk exists, and of an attribute, if its scheduler is active.

        With another scheduler the attribute is gone and need not be restored.
        """
        result = resolve(setting["identity"])
        if not result or not setting["name"].startswith(PREFIX):
            return bool(result)
        now = current(result[0], setting["name"])
        return (now == ABSENT) == (setting["original"] == ABSENT)

    def read(self, setting: JournalSetting) -> Optional[str]:
        result = resolve(setting["identity"])
        return current(result[0], setting["name"]) if result else None

    def write(self, setting: JournalSetting, value: str) -> None:
        block = single_disk(setting["identity"])
        write_value(path_of(block, setting["name"]), kernel_value(block, setting["name"], value))

    def owner(self, setting: JournalSetting) -> str:
        result = resolve(setting["identity"])
        return result[0].name if result else str(setting["identity"])

    def hint(self, setting: JournalSetting) -> str:
        if setting["name"] == "scheduler":
            return "It offers: {}.".format(", ".join(schedulers(single_disk(setting["identity"]))))
        if not setting["name"].startswith(PREFIX):
            return ""
        block = single_disk(setting["identity"])
        words = current(block, "scheduler"), ", ".join(attributes(block)) or "none"
        return "Attributes of {}: {}.".format(*words)

    def rank(self, setting: JournalSetting) -> int:
        """Restore the scheduler first and its attributes last."""
        if setting["name"] == "scheduler":
            return 0
        return 2 if setting["name"].startswith(PREFIX) else 1

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return QUEUE, setting["identity"]


def affected_names(block: Block, requested: Set[str]) -> List[str]:
    """Return the settings of a disk that are requested or may change along."""
    names = list(NAMES) + [
        n for n in OPTIONAL_NAMES if n in requested or (n == WBT and "scheduler" in requested)
    ]
    own_attributes = {name for name in requested if name.startswith(PREFIX)}
    if own_attributes or requested & set(RESETTING):
        names += sorted(own_attributes | set(attributes(block)))
    return names


def single_disk(identity: str) -> Block:
    """Return the one disk with an identity. Raises: RefusalError."""
    result = resolve(identity)
    if len(result) != 1:
        sentence = "Tuning: {} disks of this host are {}; there must be exactly one."
        raise RefusalError([sentence.format(len(result), identity)])
    return result[0]
