"""Virtual drives of MegaRAID controllers by storcli and storcli2, by their JSON. Reads only.

Source: Broadcom, "StorCLI Reference Manual", `show all` of virtual drives and of controllers.
"""

import json
import os
import re
from typing import Any, Dict, List, Optional

from .signatures import run_helper

# storcli2 (release 8) is for controllers of the driver mpi3mr. Dell's perccli is the same program.
# Their packages do not extend PATH.
NAMES = ("storcli64", "storcli", "storcli2", "perccli64", "perccli2")
FOLDERS = ("storcli", "storcli2", "perccli", "perccli2")
PROGRAMS = NAMES + tuple(
    "/opt/MegaRAID/{}/{}".format(folder, name)
    for folder in FOLDERS
    for name in NAMES
    if name.startswith(folder)
)
DRIVERS = ("megaraid_sas", "mpi3mr")
PCI_DRIVERS = "/sys/bus/pci/drivers"
UNITS = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
LEVELS = {"RAID0": "raid0", "RAID1": "raid1", "RAID5": "raid5", "RAID6": "raid6"}
LEVELS["RAID10"] = "raid10"
ENERGY_PACKS = ("BBU_Info", "Cachevault_Info", "Energy Pack Info")


def virtual_drives() -> List[Dict[str, Any]]:
    """Return the virtual drives of this host; empty without a controller or without storcli."""
    if not any(os.path.isdir(os.path.join(PCI_DRIVERS, name)) for name in DRIVERS):
        return []
    for program in PROGRAMS:
        text = run_helper([program, "/call/vall", "show", "all", "J", "nolog"])
        if parse_virtual_drives(text, {}):
            controllers = run_helper([program, "/call", "show", "all", "J", "nolog"])
            return parse_virtual_drives(text, parse_caches(controllers))
    return []


def parse_virtual_drives(text: str, caches: Dict[str, Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Parse `/call/vall show all J`; drives of other levels are left out.

    `naa`: the WWN of the disk without a prefix; `node`: its device node; either may be empty.
    """
    result = []
    for number, data in responses(text):
        for info, drives, properties in drive_parts(data):
            array = parse_drive(info, drives, properties)
            if array is not None:
                cache = caches.get(number) or {"cache_bytes": None, "battery": None}
                result.append(dict(array, **cache))
    return result


def responses(text: str) -> List[Any]:
    """Return number and "Response Data" of each controller; empty for other text."""
    try:
        rows = json.loads(text).get("Controllers") or []
    except (ValueError, AttributeError):
        return []
    return [
        (str((row.get("Command Status") or {}).get("Controller")), row["Response Data"])
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("Response Data"), dict)
    ]


def drive_parts(data: Dict[str, Any]) -> List[Any]:
    """Return information, physical drives and properties of each virtual drive."""
    if isinstance(data.get("Virtual Drives"), list):  # storcli2
        return [
            (one.get("VD Info") or {}, one.get("PDs") or [], one.get("VD Properties") or {})
            for one in data["Virtual Drives"]
            if isinstance(one, dict)
        ]
    result = []
    for key, rows in data.items():
        match = re.match(r"^/c\d+/v(\d+)$", key)
        if match and isinstance(rows, list) and rows:
            drives = data.get("PDs for VD " + match.group(1)) or []
            result.append((rows[0], drives, data.get("VD" + match.group(1) + " Properties") or {}))
    return result


def parse_drive(
    info: Dict[str, Any], drives: List[Dict[str, Any]], properties: Dict[str, Any]
) -> Optional[Dict[str, Any]]:
    """Return one virtual drive; None for a level that benchlab does not calculate with."""
    level = LEVELS.get(str(info.get("TYPE")))
    count = disk_count(drives, properties)
    if level is None or not count:
        return None
    if level == "raid1" and count > 2:
        level = "raid10"  # The controller stripes over mirrored pairs.
    models = {" ".join(str(drive.get("Model") or "").split()) for drive in drives}
    cache = str(info.get("Cache") or info.get("CurrentCache") or "")
    state = str(info.get("State") or "")
    return {
        "level": level,
        "disks": count,
        "disk_model": models.pop() if len(models) == 1 else "",
        "chunk_bytes": parse_size(properties.get("Strip Size")),
        "write_policy": write_policy(cache),
        "degraded": state in ("Dgrd", "Pdgd") if state else None,
        "naa": str(properties.get("SCSI NAA Id") or "").lower(),
        "node": str(properties.get("OS Drive Name") or ""),
    }


def disk_count(drives: List[Dict[str, Any]], properties: Dict[str, Any]) -> int:
    """Return the number of disks; a degraded drive lists fewer than it has."""
    spans, each = properties.get("Span Depth"), properties.get("Number of Drives Per Span")
    if isinstance(spans, int) and isinstance(each, int):
        return spans * each
    number = properties.get("Number of Drives")
    return number if isinstance(number, int) else len(drives)


def write_policy(cache: str) -> str:
    """Return the policy of a column "RWBD", "NRWTD" or "NR,WB"; "" if it has none."""
    return "write_back" if "WB" in cache else "write_through" if "WT" in cache else ""


def parse_size(text: Any) -> Optional[int]:
    """Return "256 KB", "64 KiB" or "2048MB" in bytes (all of them binary); None for others."""
    match = re.match(r"^(\d+(?:\.\d+)?)\s*([KMGT]?)i?B$", str(text or "").strip())
    return int(float(match.group(1)) * UNITS[match.group(2) + "B"]) if match else None


def parse_caches(text: str) -> Dict[str, Dict[str, Any]]:
    """Parse `/call show all J`: cache in bytes and battery by controller number.

    The firmware uses part of the memory, so the size of its cache goes before that of the memory.
    """
    result = {}
    for number, data in responses(text):
        hardware = data.get("HwCfg") or {}
        cache = hardware.get("Current Size of FW Cache (MB)")
        size = parse_size("{} MB".format(cache)) or parse_size(hardware.get("On Board Memory Size"))
        result[number] = {"cache_bytes": size or None, "battery": battery(data, hardware)}
    return result


def battery(data: Dict[str, Any], hardware: Dict[str, Any]) -> Optional[bool]:
    """Return True if the cache has a battery or flash, False if the controller reports none."""
    if any(data.get(name) for name in ENERGY_PACKS):
        return True
    absent = str(hardware.get("BBU") or "").lower() in ("no", "absent")
    return False if absent else None
