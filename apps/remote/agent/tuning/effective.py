"""Effective settings: values before, during and after a measurement.

All applied settings, and the queue settings of the disks under test.
"""

from typing import Dict, List, Optional

from ..disks.backing_disks import backing_disks_or_none
from ..disks.blocks import Block
from ..schema import JournalSetting, ObservedSetting
from ..targets.claimed import ClaimedTarget
from .iosched_names import ABSENT
from .journal import TuningJournal, read_value_or_none
from .kinds import clear_caches, kind_name, kind_of
from .queue_settings import NAMES, QUEUE, current
from .setting import journal_line


class EffectiveSettings:
    """One row per setting: `requested` (or null), `before`, `value` (during), `after`."""

    def __init__(self, claimed: List[ClaimedTarget], journal: Optional[TuningJournal]) -> None:
        self.blocks: Dict[str, Block] = {one.identity: one for one in disks_under_test(claimed)}
        self.lines = self.collect_lines(journal)
        self.rows: List[ObservedSetting] = [
            {
                "kind": kind_name(one),
                "identity": one["identity"],
                "name": one["name"],
                "requested": one["value"],
                "before": one["original"],
                "value": None,
                "after": None,
            }
            for one in self.lines
        ]

    def collect_lines(self, journal: Optional[TuningJournal]) -> List[JournalSetting]:
        """Return the journal's lines, and lines for the disks that it lacks."""
        lines = [one for one in journal.settings if not is_inactive(one)] if journal else []
        lines = [one for one in lines if not kind_of(one).is_deferred]
        journaled = {(one["identity"], one["name"]) for one in lines}
        for identity, block in self.blocks.items():
            for name in NAMES:
                value = None if (identity, name) in journaled else current(block, name)
                if value is not None:
                    lines.append(journal_line(QUEUE, identity, name, value))
        return lines

    def during(self) -> List[ObservedSetting]:
        """Read all values at the end of the measurement; return the rows."""
        for number, value in enumerate(self.values()):
            self.rows[number]["value"] = value
        return self.rows

    def after(self) -> List[ObservedSetting]:
        """Read all values after restoring; return the rows."""
        for number, value in enumerate(self.values()):
            self.rows[number]["after"] = value
        return self.rows

    def values(self) -> List[Optional[str]]:
        """Return the present value of every setting."""
        clear_caches()
        result: List[Optional[str]] = []
        for one in self.lines:
            block = self.blocks.get(one["identity"]) if one["kind"] == QUEUE else None
            result.append(current(block, one["name"]) if block else read_value_or_none(one))
        return result


def is_inactive(setting: JournalSetting) -> bool:
    """Return True for an attribute of a scheduler that is replaced during the test."""
    return setting["value"] is None and setting["last_value"] == ABSENT


def disks_under_test(claimed: List[ClaimedTarget]) -> List[Block]:
    """Return the disks under test and those below a directory under test."""
    result: List[Block] = []
    for one in claimed:
        if one.claim and one.block:
            result.append(one.block)
        elif not one.claim:
            result += backing_disks_or_none(one.path)
    return result
