"""Settings before, during and after a measurement, as they were read: all that was lent,
and the queues of the disks under test whether or not anything was.
"""

from typing import Dict, List, Optional

from ..disks.blocks import Block
from ..disks.carriers import carriers_or_none
from ..shapes import JournalSetting, SeenSetting
from ..targets.held import Held
from .iosched_names import ABSENT
from .kinds import forget_all, name_of
from .loan import Loan, value_now
from .queue_settings import NAMES, QUEUE, current
from .setting import line


class InForce:
    """One row a setting: `asked` (null for what nobody asked for), `before`, `value` (during),
    `after`.
    """

    def __init__(self, held: List[Held], loan: Optional[Loan]) -> None:
        self.blocks: Dict[str, Block] = {one.identity: one for one in disks_of(held)}
        self.lines = self.gathered(loan)
        self.rows: List[SeenSetting] = [
            {
                "kind": name_of(one),
                "identity": one["identity"],
                "name": one["name"],
                "asked": one["value"],
                "before": one["original"],
                "value": None,
                "after": None,
            }
            for one in self.lines
        ]

    def gathered(self, loan: Optional[Loan]) -> List[JournalSetting]:
        """The journal's lines, and those of the disks that it has none of."""
        lines = [one for one in loan.settings if not is_out_of_force(one)] if loan else []
        known = {(one["identity"], one["name"]) for one in lines}
        for identity, block in self.blocks.items():
            for name in NAMES:
                value = None if (identity, name) in known else current(block, name)
                if value is not None:
                    lines.append(line(QUEUE, identity, name, value))
        return lines

    def during(self) -> List[SeenSetting]:
        """The rows, read at the end of the measurement."""
        for number, value in enumerate(self.values()):
            self.rows[number]["value"] = value
        return self.rows

    def after(self) -> List[SeenSetting]:
        """The rows, read when everything was given back."""
        for number, value in enumerate(self.values()):
            self.rows[number]["after"] = value
        return self.rows

    def values(self) -> List[Optional[str]]:
        """Every setting as it is now."""
        forget_all()
        found: List[Optional[str]] = []
        for one in self.lines:
            block = self.blocks.get(one["identity"]) if one["kind"] == QUEUE else None
            found.append(current(block, one["name"]) if block else value_now(one))
        return found


def is_out_of_force(setting: JournalSetting) -> bool:
    """Whether it is an attribute of a scheduler that another one stands in for during the test."""
    return setting["value"] is None and setting["seen"] == ABSENT


def disks_of(held: List[Held]) -> List[Block]:
    """The disks under test, and those that carry a directory under test."""
    found: List[Block] = []
    for one in held:
        if one.claim and one.block:
            found.append(one.block)
        elif not one.claim:
            found += carriers_or_none(one.place)
    return found
