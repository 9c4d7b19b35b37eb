"""Validate the disturbance of a launch."""

import re
from typing import Any, Optional

from ..schema import Disturbance
from ..validators import number, require, string_list

OSD_OUT, OSD_STOP, DEEP_SCRUB, MD_FAIL = "osd_out", "osd_stop", "deep_scrub", "md_fail"
KINDS = (OSD_OUT, OSD_STOP, DEEP_SCRUB, MD_FAIL)
MAX_SECONDS = 86400.0
FSID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
POOL = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")


def validate_disturbance(item: Any, commands: int) -> Optional[Disturbance]:
    """Return the disturbance with the index of the command it begins with; None if there is none.

    Raises: RequestError.
    """
    if item is None:
        return None
    require(isinstance(item, dict), "The disturbance is not an object.")
    kind, command, osd = item.get("kind"), item.get("command"), item.get("osd", -1)
    require(kind in KINDS, "The agent knows no disturbance {!r}.".format(kind))
    require(is_whole(command) and 0 <= command < commands, "The disturbance names no command.")
    require(is_whole(osd), "The OSD of a disturbance is no number.")
    require(osd >= 0 or kind not in (OSD_OUT, OSD_STOP), "The disturbance names no OSD.")
    fsid, pool, member = (item.get(name) or "" for name in ("fsid", "pool", "member"))
    is_md = kind == MD_FAIL
    require(is_md or bool(FSID.match(str(fsid))), "The disturbance names no cluster.")
    require(not is_md or isinstance(member, str), "The member of a disturbance is no text.")
    require(not is_md or bool(member), "The disturbance names no member.")
    require(kind != DEEP_SCRUB or bool(POOL.match(str(pool))), "The disturbance names no pool.")
    return {
        "kind": kind,
        "command": command,
        "fsid": str(fsid),
        "osd": osd,
        "pool": str(pool),
        "member": str(member),
        "before": seconds(item, "before"),
        "down": seconds(item, "down"),
        "after": seconds(item, "after"),
        "timeout": seconds(item, "timeout"),
        "stop": string_list(item.get("stop") or [], "stop"),
        "start": string_list(item.get("start") or [], "start"),
    }


def is_whole(value: object) -> bool:
    """Return True for a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def seconds(item: Any, name: str) -> float:
    """Return one of the times."""
    return number(item.get(name, 0.0), name, 0.0, MAX_SECONDS)
