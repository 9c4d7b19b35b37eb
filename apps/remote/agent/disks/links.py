"""Root ports and links of disks: who shares a bus, and how fast the link runs. Reads only."""

import os
import re
from typing import Any, Dict, List, Optional, Union

from ..files import read_int, read_text
from .blocks import Block
from .slots import PCI, controllers, path_folders

GIGA = 10**9
# 16.0 GT/s PCIe: transfers of one lane (Documentation/ABI/testing/sysfs-bus-pci).
SPEED = re.compile(r"^(\d{1,3}(?:\.\d)?) GT/s")
Link = Dict[str, Union[int, str]]


def bus_of(block: Block) -> Optional[str]:
    """Return the PCI address of the root port above a disk; None if the kernel has none.

    Disks behind one switch, expander or card have one root port, so they share its bandwidth.
    """
    folders = controllers(block) if block.kind == "nvme" else path_folders(block)
    for folder in folders:
        for name in os.path.realpath(os.path.join(folder, "device")).split(os.sep):
            if PCI.match(name):
                return name
    return None


def link_of(block: Block) -> Optional[Link]:
    """Return rate and largest rate of an NVMe drive's PCIe link; None for other disks.

    In transfers/s of all lanes, of the slowest of several controllers.
    """
    if block.kind != "nvme":
        return None
    links: List[Link] = []
    for controller in controllers(block):
        device = os.path.realpath(os.path.join(controller, "device"))
        rate, max_rate = transfers(device, "current"), transfers(device, "max")
        if rate and max_rate:
            links.append({"rate": rate, "max_rate": max_rate, "unit": "T/s"})
    return min(links, key=lambda one: int(one["rate"])) if links else None


def transfers(device: str, which: str) -> Optional[int]:
    """Return the transfers/s of all lanes of a PCI device: "current" or "max"."""
    text = read_text(os.path.join(device, which + "_link_speed")) or ""
    width = read_int(os.path.join(device, which + "_link_width"))
    match = SPEED.match(text.strip())
    return int(float(match.group(1)) * GIGA) * width if match and width else None


def sata_link(document: Dict[str, Any]) -> Optional[Link]:
    """Return the SATA link of smartctl's document in bits/s; None if it reports none."""
    speeds = document.get("interface_speed") or {}
    rates = [bits(speeds.get(name) or {}) for name in ("current", "max")]
    if not rates[0] or not rates[1]:
        return None
    return {"rate": rates[0], "max_rate": rates[1], "unit": "bit/s"}


def bits(speed: Dict[str, Any]) -> int:
    """Return bits/s of one speed; 0 if it is incomplete."""
    return int(speed.get("units_per_second") or 0) * int(speed.get("bits_per_unit") or 0)
