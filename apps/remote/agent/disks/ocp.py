"""Bytes written to the NAND of an NVMe disk, by the log of OCP's Datacenter NVMe SSD specification.

Only this log: those of single makers count in units that differ by firmware.
"""

import json
from typing import Any, Optional

from .signatures import run_helper

# Of nvme-cli's two versions of JSON.
WRITTEN = ("physical_media_units_written", "Physical media units written")
GUID = ("log_page_guid", "Log page GUID")
# SMART-19 of the specification. Other contents of log C0h belong to a maker.
OCP_GUID = "afd514c97c6f4f9ca4f2bfea2810afc5"


def nand_bytes_of(node: str) -> Optional[int]:
    """Return the bytes; None without nvme-cli, or if the disk has no such log."""
    text = run_helper(["nvme", "ocp", "smart-add-log", node, "-o", "json"])
    try:
        return parse_ocp(json.loads(text)) if text else None
    except (ValueError, AttributeError, TypeError, KeyError):
        return None


def parse_ocp(document: Any) -> Optional[int]:
    """Return "Physical Media Units Written" (SMART-1), which are bytes."""
    for key in GUID:
        guid = document.get(key)
        if guid is not None and str(guid).lower().replace("0x", "") != OCP_GUID:
            return None
    for key in WRITTEN:
        parts = document.get(key)
        if parts is not None:
            return (int(parts["hi"]) << 64) + int(parts["lo"])
    return None
