"""Wear of a disk in its own words, as smartctl(8) reads them (-j needs smartmontools 7.0).

Asked outside of measurements only: a command to the disk would disturb them. A disk that sleeps is
not woken (-n standby).
"""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Optional, Tuple

from .blocks import Block
from .signatures import helper

KINDS = ("nvme", "scsi")
AT_ONCE = 8
# Bytes of an NVMe data unit (NVM Express Base Specification, SMART / Health Information log).
UNIT = 512 * 1000
# Attributes whose normalized value is the percentage that is left (smartmontools' drivedb.h). Their
# numbers mean other things for other makers, so the names decide.
LEFT = (
    "Percent_Lifetime_Remain",
    "Percent_Life_Remaining",
    "Media_Wearout_Indicator",
    "SSD_Life_Left",
    "Wear_Leveling_Count",
)
# Total_LBAs_Written counts blocks of one maker and 32 MiB of another, so it is not read.
WRITTEN = {"Host_Writes_MiB": 1 << 20, "Host_Writes_32MiB": 32 << 20, "Host_Writes_GiB": 1 << 30}
ENDURANCE = "Percentage Used Endurance Indicator"


def smart_of_all(blocks: List[Block]) -> List[Optional[Dict[str, Any]]]:
    """The words of each disk; None of those that say nothing."""
    if not any(block.kind in KINDS for block in blocks):
        return [None for _block in blocks]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(smart, blocks))


def worn(blocks: List[Block]) -> Dict[str, Dict[str, Any]]:
    """The same by the disks' identities, of those that say anything."""
    found = {}
    for number, one in enumerate(smart_of_all(blocks)):
        if one:
            found[blocks[number].identity] = one
    return found


def smart(block: Block) -> Optional[Dict[str, Any]]:
    """The words of one disk; None where it is of a kind that has none, or smartctl is not
    there.
    """
    if block.kind not in KINDS:
        return None
    options = ["-j", "-n", "standby", "-i", "-H", "-A", "-l", "ssd"]
    text = helper(["smartctl"] + options + [block.node])
    try:
        return read(json.loads(text)) if text else None
    except (ValueError, AttributeError, TypeError, KeyError):
        return None


def read(document: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """`passed`: the disk's own verdict; `used` and `spare` in percent, `by` which word of its;
    `hours` it was on; `written` bytes; `media_errors`; `degrees` Celsius. None for what it does not
    say, and in place of all when it says nothing.
    """
    log = document.get("nvme_smart_health_information_log") or {}
    table = (document.get("ata_smart_attributes") or {}).get("table") or []
    used, by = wear(document, log, table)
    units = log.get("data_units_written")
    found: Dict[str, Any] = {
        "passed": (document.get("smart_status") or {}).get("passed"),
        "used": used,
        "by": by,
        "spare": log.get("available_spare"),
        "hours": (document.get("power_on_time") or {}).get("hours"),
        "written": units * UNIT if units is not None else written(table),
        "media_errors": log.get("media_errors"),
        "degrees": (document.get("temperature") or {}).get("current"),
    }
    return found if any(value is not None for value in found.values()) else None


def wear(
    document: Dict[str, Any], log: Dict[str, Any], table: List[Dict[str, Any]]
) -> Tuple[Optional[int], Optional[str]]:
    """Percent of its life that is used, above 100 when it lives longer, and whose word that is: of
    the standards' own fields, else of a maker's attribute.
    """
    if log.get("percentage_used") is not None:
        return int(log["percentage_used"]), "percentage_used"
    for page in (document.get("ata_device_statistics") or {}).get("pages") or []:
        for row in page.get("table") or []:
            if row.get("name") == ENDURANCE and row.get("value") is not None:
                return int(row["value"]), ENDURANCE
    if document.get("scsi_percentage_used_endurance_indicator") is not None:
        return int(document["scsi_percentage_used_endurance_indicator"]), ENDURANCE
    values = {row.get("name"): row.get("value") for row in table}
    for name in LEFT:
        left = values.get(name)
        if isinstance(left, int) and 0 <= left <= 100:
            return 100 - left, name
    return None, None


def written(table: List[Dict[str, Any]]) -> Optional[int]:
    """Bytes that were written to it, where an attribute says its unit."""
    for row in table:
        if row.get("name") in WRITTEN:
            return int(row["raw"]["value"]) * WRITTEN[row["name"]]
    return None
