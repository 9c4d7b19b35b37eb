"""Slots of disks: the bay of an enclosure (SES, drivers/misc/enclosure.c) or the PCI slot of an
NVMe drive, as the kernel's sysfs names them. Reads only.
"""

import os
import re
from typing import Dict, List

from ..files import list_folder, read_text
from .blocks import Block

PCI_SLOTS = "/sys/bus/pci/slots"
LINK = "enclosure_device:"
PCI = re.compile(r"^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$")


def slot(block: Block) -> Dict[str, str]:
    """`slot`, the bay's name, and `enclosure`, the maker's name of what has the bay; nothing for a
    disk whose host does not say it.
    """
    if block.kind == "nvme":
        return of_pci(block)
    for folder in paths(block):
        for name in list_folder(os.path.join(folder, "device")):
            if name.startswith(LINK):
                bay = os.path.realpath(os.path.join(folder, "device", name))
                # The kernel writes a slash in a name as "!".
                found = {"slot": name[len(LINK) :].replace("!", "/").strip()}
                return dict(found, enclosure=maker(os.path.dirname(bay)))
    return {}


def paths(block: Block) -> List[str]:
    """The disk's own folder; of a multipath disk those of its paths, which end at one bay."""
    if block.text("dm/uuid").startswith("mpath-"):
        return [os.path.join(block.folder, "slaves", name) for name in block.slaves()]
    return [block.folder]


def maker(enclosure: str) -> str:
    """Vendor and model of the SCSI device that an enclosure is."""
    parts = [read_text(os.path.join(enclosure, "device", n)) or "" for n in ("vendor", "model")]
    return " ".join(" ".join(parts).split())


def of_pci(block: Block) -> Dict[str, str]:
    """The slot nearest to the drive: its own, else that of the card or switch that carries it."""
    known = pci_slots()
    for controller in controllers(block):
        device = os.path.realpath(os.path.join(controller, "device"))
        for name in reversed(device.split(os.sep)):
            # A slot's address is without the function.
            if PCI.match(name) and name.rpartition(".")[0] in known:
                return {"slot": known[name.rpartition(".")[0]], "enclosure": "PCI"}
    return {}


def controllers(block: Block) -> List[str]:
    """Folders of the controllers of an NVMe namespace: with native multipath it is below a
    subsystem, which has one or several.
    """
    own = os.path.join(block.folder, "device")
    names = [n for n in list_folder(own) if re.match(r"^nvme[0-9]+$", n)]
    return [os.path.join(own, name) for name in names] or [own]


def pci_slots() -> Dict[str, str]:
    """Names of the host's PCI slots by their address (domain, bus, device)."""
    found: Dict[str, str] = {}
    for name in list_folder(PCI_SLOTS):
        address = read_text(os.path.join(PCI_SLOTS, name, "address"))
        if address:
            found[address] = name
    return found
