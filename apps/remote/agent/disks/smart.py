"""SMART data of disks by smartctl(8) (-j needs smartmontools 7.0) and nvme(1).

Read only outside of measurements, which a command to the disk would disturb. Sleeping disks are not
woken (-n standby).
"""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Optional, Tuple

from .blocks import Block
from .links import sata_link
from .ocp import nand_bytes_of
from .signatures import run_helper

KINDS = ("nvme", "scsi")
PARALLEL_READS = 8
# Bytes of an NVMe data unit (NVM Express Base Specification, SMART / Health Information log).
UNIT = 512 * 1000
# Attributes whose normalized value is the remaining percentage (smartmontools' drivedb.h). Numbers
# differ between vendors, so the names decide.
REMAINING_LIFE = (
    "Percent_Lifetime_Remain",
    "Percent_Life_Remaining",
    "Media_Wearout_Indicator",
    "SSD_Life_Left",
    "Wear_Leveling_Count",
)
# Total_LBAs_Written counts blocks of one maker and 32 MiB of another, so it is not read.
WRITTEN = {"Host_Writes_MiB": 1 << 20, "Host_Writes_32MiB": 32 << 20, "Host_Writes_GiB": 1 << 30}
# NAND_Writes names no unit, so it is not read.
NAND_WRITTEN = {
    "NAND_Writes_1GiB": 1 << 30,
    "NAND_Writes_32MiB": 32 << 20,
    "Flash_Writes_GiB": 1 << 30,
}
ENDURANCE = "Percentage Used Endurance Indicator"
SECTORS_WRITTEN = "Logical Sectors Written"
# SCSI: "gigabytes processed" are 10^9 bytes with three decimals.
GIGABYTE, GIGABYTE_RESOLUTION = 10**9, 10**6


def smart_of_all(blocks: List[Block]) -> List[Optional[Dict[str, Any]]]:
    """Return the SMART data of each disk; None if it has none."""
    if not any(block.kind in KINDS for block in blocks):
        return [None for _block in blocks]
    with ThreadPoolExecutor(PARALLEL_READS) as pool:
        return list(pool.map(smart, blocks))


def smart_by_identity(blocks: List[Block]) -> Dict[str, Dict[str, Any]]:
    """Return the SMART data by disk identity, of disks that have it."""
    result = {}
    for number, one in enumerate(smart_of_all(blocks)):
        if one:
            result[blocks[number].identity] = one
    return result


def smart(block: Block) -> Optional[Dict[str, Any]]:
    """Return the SMART data of one disk; None for other kinds of disks or without smartctl."""
    if block.kind not in KINDS:
        return None
    options = ["-j", "-n", "standby", "-i", "-H", "-A", "-l", "ssd", "-l", "devstat"]
    if block.kind == "scsi" and block.text("device/vendor") != "ATA":
        options += ["-l", "error"]  # SAS: the log that has the bytes written
    text = run_helper(["smartctl"] + options + [block.node])
    try:
        result = parse_smart(json.loads(text)) if text else None
    except (ValueError, AttributeError, TypeError, KeyError):
        return None
    if result and block.kind == "nvme":
        result["nand_written"] = nand_bytes_of(block.node)
    return dict(result, name=block.name) if result else None


def parse_smart(document: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """Parse smartctl's document; missing values are None, an empty document too.

    `passed`: the disk's own verdict; `used` and `spare` in percent, `by` names the attribute;
    `hours` powered on; `written` by the host and `nand_written` in bytes, `resolution` the bytes
    of one step of `written`; `media_errors`; `degrees` Celsius; `link` of SATA disks.
    """
    log = document.get("nvme_smart_health_information_log") or {}
    table = (document.get("ata_smart_attributes") or {}).get("table") or []
    used, by = wear(document, log, table)
    written, resolution = host_bytes(document, log, table)
    result: Dict[str, Any] = {
        "passed": (document.get("smart_status") or {}).get("passed"),
        "used": used,
        "by": by,
        "spare": log.get("available_spare"),
        "hours": (document.get("power_on_time") or {}).get("hours"),
        "written": written,
        "resolution": resolution,
        "nand_written": attribute_bytes(table, NAND_WRITTEN)[0],
        "media_errors": log.get("media_errors"),
        "degrees": (document.get("temperature") or {}).get("current"),
        "link": sata_link(document),
    }
    return result if any(value is not None for value in result.values()) else None


def wear(
    document: Dict[str, Any], log: Dict[str, Any], table: List[Dict[str, Any]]
) -> Tuple[Optional[int], Optional[str]]:
    """Return the used life in percent (may exceed 100) and the name of the attribute.

    Standard fields first, then vendor attributes. Available spare is not wear.
    """
    if log.get("percentage_used") is not None:
        return int(log["percentage_used"]), "percentage_used"
    endurance = statistic(document, ENDURANCE)
    if endurance is not None:
        return endurance, ENDURANCE
    if document.get("scsi_percentage_used_endurance_indicator") is not None:
        return int(document["scsi_percentage_used_endurance_indicator"]), ENDURANCE
    values = {row.get("name"): row.get("value") for row in table}
    for name in REMAINING_LIFE:
        left = values.get(name)
        if isinstance(left, int) and 0 <= left <= 100:
            return 100 - left, name
    return None, None


def statistic(document: Dict[str, Any], name: str) -> Optional[int]:
    """Return a valid value of the ATA device statistics (ACS-4, log 04h)."""
    for page in (document.get("ata_device_statistics") or {}).get("pages") or []:
        for row in page.get("table") or []:
            valid = (row.get("flags") or {}).get("valid", True)
            if row.get("name") == name and row.get("value") is not None and valid:
                return int(row["value"])
    return None


def host_bytes(
    document: Dict[str, Any], log: Dict[str, Any], table: List[Dict[str, Any]]
) -> Tuple[Optional[int], Optional[int]]:
    """Return the bytes that hosts wrote in the disk's life, and the bytes of one step."""
    units = log.get("data_units_written")
    if units is not None:
        return int(units) * UNIT, UNIT
    sectors, size = statistic(document, SECTORS_WRITTEN), document.get("logical_block_size")
    if sectors is not None and size:
        return sectors * int(size), int(size)
    written = (document.get("scsi_error_counter_log") or {}).get("write") or {}
    if written.get("gigabytes_processed") is not None:
        # As text: a float would lose the last digits of a large disk.
        whole, _, part = str(written["gigabytes_processed"]).partition(".")
        return int(whole) * GIGABYTE + int((part + "000000000")[:9]), GIGABYTE_RESOLUTION
    return attribute_bytes(table, WRITTEN)


def attribute_bytes(
    table: List[Dict[str, Any]], units: Dict[str, int]
) -> Tuple[Optional[int], Optional[int]]:
    """Return the bytes of the first attribute with a known unit, and the unit."""
    for row in table:
        if row.get("name") in units:
            unit = units[row["name"]]
            return int(row["raw"]["value"]) * unit, unit
    return None, None
