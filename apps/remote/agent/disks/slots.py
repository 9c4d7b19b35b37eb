"""Slots of disks: enclosure bay (SES, drivers/misc/enclosure.c) or PCI slot of NVMe. Reads only."""

import os
import re
from typing import Dict, List

from ..files import list_folder, read_text
from .blocks import Block

PCI_SLOTS = "/sys/bus/pci/slots"
LINK = "enclosure_device:"
PCI = re.compile(r"^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$")


def slot(block: Block) -> Dict[str, str]:
    """Return `slot` and `enclosure` of a disk; {} if the kernel does not report them."""
    if block.kind == "nvme":
        return pci_slot(block)
    for folder in path_folders(block):
        for name in list_folder(os.path.join(folder, "device")):
            if name.startswith(LINK):
                bay = os.path.realpath(os.path.join(folder, "device", name))
                # The kernel writes a slash in a name as "!".
                result = {"slot": name[len(LINK) :].replace("!", "/").strip()}
                return dict(result, enclosure=enclosure_name(os.path.dirname(bay)))
    return {}


def path_folders(block: Block) -> List[str]:
    """Return the disk's folder; of a multipath disk those of its paths, which share one bay."""
    if block.text("dm/uuid").startswith("mpath-"):
        return [os.path.join(block.folder, "slaves", name) for name in block.slaves()]
    return [block.folder]


def enclosure_name(enclosure: str) -> str:
    """Return vendor and model of an enclosure."""
    parts = [read_text(os.path.join(enclosure, "device", n)) or "" for n in ("vendor", "model")]
    return " ".join(" ".join(parts).split())


def pci_slot(block: Block) -> Dict[str, str]:
    """Return the nearest slot: the drive's, else that of the card or switch above it."""
    slots = pci_slots()
    for controller in controllers(block):
        device = os.path.realpath(os.path.join(controller, "device"))
        for name in reversed(device.split(os.sep)):
            # A slot's address is without the function.
            if PCI.match(name) and name.rpartition(".")[0] in slots:
                return {"slot": slots[name.rpartition(".")[0]], "enclosure": "PCI"}
    return {}


def controllers(block: Block) -> List[str]:
    """Return the controllers of an NVMe namespace; with native multipath several."""
    device_folder = os.path.join(block.folder, "device")
    names = [n for n in list_folder(device_folder) if re.match(r"^nvme[0-9]+$", n)]
    return [os.path.join(device_folder, name) for name in names] or [device_folder]


def pci_slots() -> Dict[str, str]:
    """Return the names of PCI slots by address (domain, bus, device)."""
    result: Dict[str, str] = {}
    for name in list_folder(PCI_SLOTS):
        address = read_text(os.path.join(PCI_SLOTS, name, "address"))
        if address:
            result[address] = name
    return result
