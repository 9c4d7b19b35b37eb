"""The block-queue settings that can be lent (Documentation/ABI/stable/sysfs-block, queue/*). The
first five of a disk are always in the journal, as a scheduler resets others; so is wbt_lat_usec
where the scheduler is changed, and what else is asked for.
"""

import os
import re
from typing import List, Optional, Set, Tuple

from ..disks.blocks import Block, resolve
from ..errors import ImpossibleError, RefusalError
from ..files import read_text, write_value
from ..shapes import JournalSetting, Setting
from .setting import SettingKind, line

QUEUE = "queue"

# The scheduler first: changing it resets nr_requests.
NAMES = ("scheduler", "max_sectors_kb", "rq_affinity", "nr_requests", "read_ahead_kb")
WBT = "wbt_lat_usec"
MORE = ("nomerges", WBT, "rotational", "add_random")
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
}


def path_of(block: Block, name: str) -> str:
    """The sysfs file of a setting."""
    return os.path.join(block.folder, "queue", name)


def current(block: Block, name: str) -> Optional[str]:
    """The value now; of the schedulers the one in brackets. None when this disk has no such
    setting.
    """
    text = read_text(path_of(block, name))
    if text is None or name != "scheduler":
        return text
    chosen = re.search(r"\[([^\]]+)\]", text)
    return chosen.group(1) if chosen else text


def choices(block: Block) -> List[str]:
    """The schedulers the kernel offers for a disk now."""
    return re.sub(r"[\[\]]", " ", read_text(path_of(block, "scheduler")) or "").split()


def objection(name: str, value: str) -> str:
    """Why a value cannot be meant, as a sentence; empty when it can."""
    if name == "scheduler":
        return "" if SCHEDULER.match(value) else "{!r} is not a scheduler's name.".format(value)
    if name not in RANGES:
        return "{!r} is not a setting that can be lent.".format(name)
    lowest, highest = RANGES[name]
    if value.isdigit() and str(int(value)) == value and lowest <= int(value) <= highest:
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
            for name in concerned(identity, set(values)):
                value, original = values.get((identity, name)), current(block, name)
                if original is None and value is not None:
                    raise ImpossibleError(
                        ["Tuning: {} has no setting {}.".format(block.name, name)]
                    )
                if original is not None:
                    settings.append(line(QUEUE, identity, name, original, value))
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        return bool(resolve(setting["identity"]))

    def read(self, setting: JournalSetting) -> Optional[str]:
        found = resolve(setting["identity"])
        return current(found[0], setting["name"]) if found else None

    def write(self, setting: JournalSetting, value: str) -> None:
        write_value(path_of(only(setting["identity"]), setting["name"]), value)

    def whose(self, setting: JournalSetting) -> str:
        found = resolve(setting["identity"])
        return found[0].name if found else str(setting["identity"])

    def hint(self, setting: JournalSetting) -> str:
        if setting["name"] != "scheduler":
            return ""
        return "It offers: {}.".format(", ".join(choices(only(setting["identity"]))))

    def rank(self, setting: JournalSetting) -> int:
        return 0 if setting["name"] == "scheduler" else 1

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return QUEUE, setting["identity"]


def concerned(identity: str, asked: Set[Tuple[str, str]]) -> List[str]:
    """Names of the settings of a disk that are asked for, or may change along."""
    along = {WBT} if (identity, "scheduler") in asked else set()
    return list(NAMES) + [n for n in MORE if n in along or (identity, n) in asked]


def only(identity: str) -> Block:
    """The one disk with an identity. Raises RefusalError."""
    found = resolve(identity)
    if len(found) != 1:
        sentence = "Tuning: {} disks of this host are {}; there must be exactly one."
        raise RefusalError([sentence.format(len(found), identity)])
    return found[0]
