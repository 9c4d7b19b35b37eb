"""RAID levels of target groups, entered by users: hosts cannot read them behind a controller."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

# Operations of disks that one small write costs (Patterson, Gibson, Katz, "A Case for Redundant
# Arrays of Inexpensive Disks", SIGMOD 1988): two for mirrors, four with one parity (read data and
# parity, write both), six with two.
PENALTY: Mapping[str, int] = {"raid0": 1, "raid1": 2, "raid10": 2, "raid5": 4, "raid6": 6}


class RaidLevel(models.TextChoices):
    """A RAID level; empty: separate disks, or unknown."""

    NONE = "", lazy("none: disks side by side")
    RAID0 = "raid0", "RAID 0"
    RAID1 = "raid1", "RAID 1"
    RAID5 = "raid5", "RAID 5"
    RAID6 = "raid6", "RAID 6"
    RAID10 = "raid10", "RAID 10"


def level_words(level: str, members: int) -> str | None:
    """Return the level as text; None without a level.

    Example: "RAID 5 of 4: a small write costs 4 operations of its disks".
    """
    if not level:
        return None
    words = {"level": RaidLevel(level).label, "members": members, "penalty": PENALTY[level]}
    if PENALTY[level] == 1:
        return _("%(level)s of %(members)d: a write costs no more than one operation") % words
    text = _("%(level)s of %(members)d: a small write costs %(penalty)d operations of its disks")
    return text % words
