"""The block-queue settings that can be lent (Documentation/ABI/stable/sysfs-block, queue/*). The
first five of a disk are always in the journal, as a scheduler resets others; so are wbt_lat_usec
and the scheduler's own attributes where the scheduler is changed, and what else is asked for.
"""

import os
import re
from typing import List, Optional, Set, Tuple

from ..disks.blocks import Block, resolve
from ..errors import ImpossibleError, RefusalError
from ..files import list_folder, read_text, write_value
from ..shapes import JournalSetting, Setting
from .iosched_names import ABSENT, PREFIX, is_name, is_value
from .setting import SettingKind, line

QUEUE = "queue"

# The scheduler first: changing it resets nr_requests.
NAMES = ("scheduler", "max_sectors_kb", "rq_affinity", "nr_requests", "read_ahead_kb")
WBT = "wbt_lat_usec"
DISCARD = "discard_max_bytes"
MORE = (
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
MOST = (1 << 32) - 1
SCHEDULER = re.compile(r"^[a-z0-9_-]{1,15}$")
# What the kernel could take at all; what this disk takes is found out by writing and reading back.
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
    DISCARD: (0, MOST),
    "io_poll": (0, 1),
    "io_poll_delay": (-1, 10**6),
    "stable_writes": (0, 1),
}


def path_of(block: Block, name: str) -> str:
    """The sysfs file of a setting."""
    return os.path.join(block.folder, "queue", name)


def current(block: Block, name: str) -> Optional[str]:
    """The value now; of the schedulers the one in brackets. None when this disk has no such
    setting; ABSENT for an attribute that the scheduler now set does not have.
    """
    text = read_text(path_of(block, name))
    if text is None and name.startswith(PREFIX):
        return ABSENT
    if text is None or name != "scheduler":
        return text
    chosen = re.search(r"\[([^\]]+)\]", text)
    return chosen.group(1) if chosen else text


def choices(block: Block) -> List[str]:
    """The schedulers the kernel offers for a disk now."""
    return re.sub(r"[\[\]]", " ", read_text(path_of(block, "scheduler")) or "").split()


def taken(block: Block, name: str, value: str) -> str:
    """A value as the kernel takes it. The largest discard is a multiple of the granularity, also
    where the device's own limit, which the kernel shows, is none: it is cut to that again.
    """
    if name != DISCARD:
        return value
    step = block.number("queue/discard_granularity") or 1
    return str(-(-int(value) // step) * step)


def irreversible(block: Block, name: str, original: str) -> str:
    """Why a setting could not be given back, as a sentence; empty when it could. Many disks show a
    largest discard of their own that nobody can write.
    """
    if name != DISCARD or int(taken(block, name, original)) <= MOST:
        return ""
    sentence = "{} of {} is {} and could not be given back: the kernel takes at most {}."
    return sentence.format(name, block.name, original, MOST)


def attributes(block: Block) -> List[str]:
    """Names of the attributes of the scheduler that is set."""
    return [PREFIX + name for name in list_folder(path_of(block, PREFIX))]


def objection(name: str, value: str) -> str:
    """Why a value cannot be meant, as a sentence; empty when it can."""
    if is_name(name):
        return "" if is_value(value) else "{} takes a whole number, not {!r}.".format(name, value)
    if name == "scheduler":
        return "" if SCHEDULER.match(value) else "{!r} is not a scheduler's name.".format(value)
    if name not in RANGES:
        return "{!r} is not a setting that can be lent.".format(name)
    lowest, highest = RANGES[name]
    canonical = re.match(r"-?[0-9]{1,15}\Z", value) and str(int(value)) == value
    if canonical and lowest <= int(value) <= highest:
        return ""
    return "{} must be a whole number from {} to {}, not {!r}.".format(name, lowest, highest, value)


class QueueKind(SettingKind):
    """`identity` is the disk's, `name` a file of /sys/block/<disk>/queue."""

    def objection(self, setting: Setting) -> str:
        return objection(setting["name"], str(setting["value"]))

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        values = {
            (setting["identity"], setting["name"]): str(setting["value"]) for setting in wanted
        }
        settings = []
        for identity in sorted({setting["identity"] for setting in wanted}):
            block = only(identity)
            asked = {name for one, name in values if one == identity}
            for name in concerned(block, asked):
                value, original = values.get((identity, name)), current(block, name)
                absent = original == ABSENT and "scheduler" not in asked
                if (original is None or absent) and value is not None:
                    raise ImpossibleError(
                        ["Tuning: {} has no setting {}.".format(block.name, name)]
                    )
                why = irreversible(block, name, original or "") if value is not None else ""
                if why:
                    raise ImpossibleError(["Tuning: " + why])
                if original is not None:
                    settings.append(line(QUEUE, identity, name, original, value))
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        """Whether the disk is there; of a scheduler's attribute also whether that is set which it
        belongs to: with another one it is gone, and nothing is left to give back.
        """
        found = resolve(setting["identity"])
        if not found or not setting["name"].startswith(PREFIX):
            return bool(found)
        now = current(found[0], setting["name"])
        return (now == ABSENT) == (setting["original"] == ABSENT)

    def read(self, setting: JournalSetting) -> Optional[str]:
        found = resolve(setting["identity"])
        return current(found[0], setting["name"]) if found else None

    def write(self, setting: JournalSetting, value: str) -> None:
        block = only(setting["identity"])
        write_value(path_of(block, setting["name"]), taken(block, setting["name"], value))

    def whose(self, setting: JournalSetting) -> str:
        found = resolve(setting["identity"])
        return found[0].name if found else str(setting["identity"])

    def hint(self, setting: JournalSetting) -> str:
        if setting["name"] == "scheduler":
            return "It offers: {}.".format(", ".join(choices(only(setting["identity"]))))
        if not setting["name"].startswith(PREFIX):
            return ""
        block = only(setting["identity"])
        words = current(block, "scheduler"), ", ".join(attributes(block)) or "none"
        return "Attributes of {}: {}.".format(*words)

    def rank(self, setting: JournalSetting) -> int:
        """The scheduler first, its attributes behind everything that sets them anew."""
        if setting["name"] == "scheduler":
            return 0
        return 2 if setting["name"].startswith(PREFIX) else 1

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return QUEUE, setting["identity"]


def concerned(block: Block, asked: Set[str]) -> List[str]:
    """Names of the settings of a disk that are asked for, or may change along."""
    names = list(NAMES) + [n for n in MORE if n in asked or (n == WBT and "scheduler" in asked)]
    own = {name for name in asked if name.startswith(PREFIX)}
    if own or asked & set(RESETTING):
        names += sorted(own | set(attributes(block)))
    return names


def only(identity: str) -> Block:
    """The one disk with an identity. Raises RefusalError."""
    found = resolve(identity)
    if len(found) != 1:
        sentence = "Tuning: {} disks of this host are {}; there must be exactly one."
        raise RefusalError([sentence.format(len(found), identity)])
    return found[0]
