"""Root ports and links of disks: who shares a bus, and how fast the link runs. Reads only."""

import os
import re
from typing import Any, Dict, List, Optional, Union

from ..files import list_folder, read_int, read_text
from .blocks import Block
from .slots import PCI, controllers, path_folders

GIGA = 10**9
# 16.0 GT/s PCIe: transfers of one lane (Documentation/ABI/testing/sysfs-bus-pci).
SPEED = re.compile(r"^(\d{1,3}(?:\.\d)?) GT/s")
# 12.0 Gbit: one phy (drivers/scsi/scsi_transport_sas.c).
LINE_RATE = re.compile(r"^(\d{1,3}(?:\.\d)?) Gbit")
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
    """Return rate and largest rate of an NVMe drive's PCIe link or a SAS disk's link, else None.

    PCIe in transfers/s of all lanes, of the slowest of several controllers.
    """
    if block.kind != "nvme":
        return sas_link(block)
    links: List[Link] = []
    for controller in controllers(block):
        device = os.path.realpath(os.path.join(controller, "device"))
        rate, max_rate = transfers(device, "current"), transfers(device, "max")
        if rate and max_rate:
            links.append({"rate": rate, "max_rate": max_rate, "unit": "T/s"})
    return min(links, key=lambda one: int(one["rate"])) if links else None


def sas_link(block: Block) -> Optional[Link]:
    """Return the SAS link of a disk in bits/s, of the phys of its port; None for others.

    Of several paths and phys the slowest counts. The kernel has no maximum of the disk:
    `maximum_linkrate` is that of the adapter, which a slower disk never reaches.
    """
    links: List[Link] = []
    for folder in path_folders(block):
        device = os.path.realpath(os.path.join(folder, "device"))
        end = device.split("/end_device-")[0] if "/end_device-" in device else ""
        for name in list_folder(end) if end else []:
            phy = os.path.join(end, name, "sas_phy", name)
            rate = line_rate(phy, "negotiated_linkrate")
            if name.startswith("phy-") and rate:
                links.append({"rate": rate, "unit": "bit/s"})
    return min(links, key=lambda one: int(one["rate"])) if links else None


def line_rate(phy: str, name: str) -> int:
    """Return the bits/s of a phy's file such as "12.0 Gbit"; 0 if it has none."""
    match = LINE_RATE.match(read_text(os.path.join(phy, name)) or "")
    return int(float(match.group(1)) * GIGA) if match else 0


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
