"""Zones of a disk, and the modes of fio that can measure it (fio(1), "zonemode")."""

from __future__ import annotations

from apps.tools.messages import message
from apps.tools.targets import ToolTarget

from .params import READ_ONLY, FioParams

MODE, ZBD = "zonemode", "zbd"
# Values of queue/zoned (kernel: Documentation/ABI/stable/sysfs-block).
HOST_AWARE, HOST_MANAGED = "host-aware", "host-managed"


def errors(params: FioParams, target: ToolTarget) -> dict[str, str]:
    """Return parameters that do not fit the target's zones: name -> message."""
    in_zones = params.option(MODE) == ZBD
    if in_zones and target.kind != "disk":
        return {MODE: message("Zones are those of a disk: choose one as the target.")}
    if in_zones and target.zoned not in ("", HOST_AWARE, HOST_MANAGED):
        return {
            MODE: message(
                "This disk has no zones (queue/zoned is none), and fio would invent some: zbd is "
                "for zoned disks."
            )
        }
    if target.zoned == HOST_MANAGED and not in_zones and params.rw not in READ_ONLY:
        return {
            MODE: message(
                "This disk is host-managed: it takes writes at the write pointers of its zones "
                "only, which is zonemode zbd."
            )
        }
    return {}
