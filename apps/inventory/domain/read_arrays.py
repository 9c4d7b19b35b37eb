"""Arrays of disks as the agent reports them, validated. Pure."""

from __future__ import annotations

from msgspec.structs import asdict

from apps.common.schemas.versioned_json import SchemaError
from apps.inventory.schemas.backing_arrays import BACKING, MIN_DISKS, BackingArray
from apps.inventory.schemas.host_facts import KnownArray

MAX_MODEL_LENGTH = 120


def read_array(reported: KnownArray) -> BackingArray | None:
    """Return the array that a host reported; None for none and for an impossible one."""
    values = asdict(reported) | {"source": "host"}
    try:
        array = BACKING.checked(values | {"disk_model": reported.disk_model[:MAX_MODEL_LENGTH]})
    except SchemaError:
        return None
    is_whole = array.level != "raid10" or array.disks % 2 == 0
    return array if array.disks >= MIN_DISKS[array.level] and is_whole else None
