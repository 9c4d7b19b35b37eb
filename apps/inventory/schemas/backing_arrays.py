"""Array of which a disk consists: MD, a LUN of a RAID card or of a storage system.

Entered by users, or read by the agent where the host has a tool that reports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from django.utils.translation import gettext as _
from msgspec import Meta

from apps.common.domain.units import binary_bytes
from apps.common.schemas.versioned_json import VersionedSchema
from apps.inventory.schemas.raid_levels import RaidLevel, level_words

Level = Literal["raid0", "raid1", "raid5", "raid6", "raid10"]
WritePolicy = Literal["", "write_back", "write_through"]
Source = Literal["entered", "host"]
MIN_DISKS: Mapping[str, int] = {"raid0": 1, "raid1": 2, "raid5": 3, "raid6": 4, "raid10": 4}
MAX_DISKS = 1_000
MAX_BYTES = 2**50
_PARITY: Mapping[str, int] = {"raid5": 1, "raid6": 2}
_Bytes = Annotated[int, Meta(ge=1, le=MAX_BYTES)]


class BackingArray(msgspec.Struct, frozen=True):
    """An array with its controller; None or empty: unknown.

    `disks`: all of them, without spares. `chunk_bytes`: of one disk in a stripe (`strip` of
    MegaRAID). `battery`: the cache keeps its content without power (battery or flash).
    `degraded`: a disk of the array is missing. `source`: the user or the host.
    """

    level: Level
    disks: Annotated[int, Meta(ge=1, le=MAX_DISKS)]
    disk_model: Annotated[str, Meta(max_length=120)] = ""
    chunk_bytes: _Bytes | None = None
    cache_bytes: _Bytes | None = None
    write_policy: WritePolicy = ""
    battery: bool | None = None
    degraded: bool | None = None
    source: Source = "entered"

    @property
    def parity_disks(self) -> int:
        """Return the number of disks' worth of parity or copies."""
        if self.level in ("raid1", "raid10"):
            return self.disks - self.data_disks
        return _PARITY.get(self.level, 0)

    @property
    def data_disks(self) -> int:
        """Return the number of disks' worth of data."""
        if self.level == "raid1":
            return 1
        if self.level == "raid10":
            return self.disks // 2
        return self.disks - _PARITY.get(self.level, 0)

    @property
    def stripe_bytes(self) -> int | None:
        """Return the data of a whole stripe."""
        return self.chunk_bytes * self.data_disks if self.chunk_bytes else None


def backing_rows(array: BackingArray | None) -> list[tuple[str, str]]:
    """Return label and text of what is known of an array."""
    if array is None:
        return []
    shares = _("%(data)d of data, %(parity)d of parity or copies") % {
        "data": array.data_disks,
        "parity": array.parity_disks,
    }
    rows = [
        (_("Level"), level_words(array.level, array.disks)),
        (_("Disks' worth"), shares),
        (_("Model of the disks"), array.disk_model),
        (_("Chunk"), _size(array.chunk_bytes)),
        (_("Stripe of data"), _size(array.stripe_bytes)),
        (_("Controller cache"), _size(array.cache_bytes)),
        (_("Write policy"), _policy(array.write_policy)),
        (_("Battery or flash of the cache"), _yes_or_no(array.battery)),
        (_("State"), _("degraded: a disk is missing") if array.degraded else ""),
        (_("Source"), source_words(array)),
    ]
    return [(label, text) for label, text in rows if text]


def array_name(array: BackingArray) -> str:
    """Return level and number of disks: "RAID 5 of 12"."""
    level = RaidLevel(array.level).label
    return _("%(level)s of %(disks)d") % {"level": level, "disks": array.disks}


def source_words(array: BackingArray) -> str:
    """Return where the values of an array come from."""
    return _("read from the host") if array.source == "host" else _("entered")


def _policy(policy: WritePolicy) -> str:
    return {"write_back": _("write back"), "write_through": _("write through")}.get(policy, "")


def _yes_or_no(value: bool | None) -> str:
    return "" if value is None else _("yes") if value else _("no")


def _size(size: int | None) -> str:
    return "" if size is None else binary_bytes(size)


BACKING: VersionedSchema[BackingArray] = VersionedSchema(BackingArray)
